// The commands for accounts at providers.

import type { CommandTable } from './command.ts'

const IDEMPOTENCY = {
  'idempotency-key': { value: 'KEY', help: 'with the same key it is done once, however often you send it' },
} as const
const ID = { name: 'id' } as const
const SETTINGS = {
  name: { value: 'NAME', help: 'a name for yourself' },
  uses: { value: 'USES', help: 'what it is for, separated by commas: BRE_B_IN, BRE_B_OUT, PSE_IN' },
  priority: { value: 'N', help: 'the connection with the lowest number is preferred (default 100)' },
  'minimum-in-cents': { value: 'CENTS', help: 'smaller payments go elsewhere; none takes it away' },
  'maximum-in-cents': { value: 'CENTS', help: 'larger payments go elsewhere; none takes it away' },
  credential: {
    value: 'NAME=VALUE|@FILE|-',
    isRepeatable: true,
    help: 'a credential, one flag for each: name=value, name=@file, or name=- for a line of standard input',
  },
} as const

const MOVEMENT = {
  'amount-in-cents': { value: 'CENTS', help: 'amount in cents: 100000000 is COP 1,000,000' },
  reference: { value: 'TEXT', help: 'your own name for it, such as the bank’s number of the transfer' },
  ...IDEMPOTENCY,
} as const
const LIMIT = { limit: { value: 'N', help: 'how many to show (default 10)' } } as const

const connections = () => import('./connections.ts')
const deposits = () => import('./deposits.ts')

export const CONNECTION_COMMANDS: CommandTable = {
  'connections providers': {
    group: 'Connections',
    help: 'list what can be connected, and the credentials it takes',
    flags: {},
    load: async () => (await connections()).listProviders,
  },
  'connections create': {
    group: 'Connections',
    help: 'connect an account at a provider',
    flags: {
      provider: {
        value: 'PROVIDER',
        values: ['wompi', 'mono', 'placetopay'],
        help: 'the provider, see `recaudo connections providers`',
      },
      environment: {
        value: 'ENVIRONMENT',
        values: ['test', 'live'],
        help: 'test or live (default: test on staging, live in production)',
      },
      ...SETTINGS,
      disabled: { help: 'send no payments there yet' },
      ...IDEMPOTENCY,
    },
    example:
      'recaudo connections create --provider placetopay --uses PSE_IN --credential login=shop --credential secretKey=@key.txt',
    load: async () => (await connections()).createConnection,
  },
  'connections list': {
    group: 'Connections',
    help: 'list your connections, the preferred one first',
    flags: {},
    load: async () => (await connections()).listConnections,
  },
  'connections show': {
    group: 'Connections',
    help: 'show a connection, without its secrets',
    argument: ID,
    flags: {},
    load: async () => (await connections()).showConnection,
  },
  'connections update': {
    group: 'Connections',
    help: 'change a connection, or give it new credentials; both work for a day',
    argument: ID,
    flags: {
      ...SETTINGS,
      enable: { help: 'send payments there' },
      disable: { help: 'send no new payments there' },
    },
    load: async () => (await connections()).updateConnection,
  },
  'connections delete': {
    group: 'Connections',
    help: 'delete a connection that no payment needs any more',
    argument: ID,
    flags: {},
    load: async () => (await connections()).deleteConnection,
  },
  'connections test': {
    group: 'Connections',
    help: 'ask the provider whether the credentials work',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await connections()).testConnection,
  },
  'connections banks': {
    group: 'Connections',
    help: 'list the banks that the provider offers for PSE',
    argument: ID,
    flags: {},
    load: async () => (await connections()).listConnectionBanks,
  },
  'connections deposit': {
    group: 'Connections',
    help: 'record that you put money into the account at the provider',
    argument: ID,
    flags: MOVEMENT,
    example: 'recaudo connections deposit ID --amount-in-cents 100000000 --reference "transfer 77120"',
    load: async () => (await deposits()).recordDeposit,
  },
  'connections deposits': {
    group: 'Connections',
    help: 'list what you put into the account',
    argument: ID,
    flags: LIMIT,
    load: async () => (await deposits()).listDeposits,
  },
  'connections withdraw': {
    group: 'Connections',
    help: 'record that money left the account and is yours elsewhere',
    argument: ID,
    flags: MOVEMENT,
    load: async () => (await deposits()).recordWithdrawal,
  },
  'connections withdrawals': {
    group: 'Connections',
    help: 'list what you took out of the account',
    argument: ID,
    flags: LIMIT,
    load: async () => (await deposits()).listWithdrawals,
  },
}
