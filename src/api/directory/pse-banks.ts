// The banks a payer can choose on PSE.

import { pseBanks } from '../../core/directory/pse-bank.ts'
import { Type } from '../../core/json-schema.ts'
import { json, type Operation } from '../http/operation.ts'

export const PseBankObject = Type.Object({
  code: Type.String({ description: 'What to send as `pse.bank`.', examples: ['CO_BANCOLOMBIA'] }),
  name: Type.String({ examples: ['Bancolombia'] }),
  aliases: Type.Array(Type.String(), { description: 'Other spellings that are accepted for the same bank.' }),
})

export const PseBankList = Type.Object({ data: Type.Array(PseBankObject) })

export const listPseBanksOperation: Operation = {
  method: 'GET',
  path: '/pse/banks',
  operationId: 'listPseBanks',
  tag: 'Payins',
  summary: 'List PSE banks',
  description:
    'Every bank that `pse.bank` takes, by name. In staging the list also holds `CO_BANCO_DE_PRUEBAS`.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  success: {
    status: 200,
    description: 'All banks.',
    schema: PseBankList,
    examples: {
      banks: {
        summary: 'The list, shortened',
        value: {
          data: [
            {
              code: 'CO_BANCO_DE_BOGOTA',
              name: 'Banco de Bogotá',
              aliases: ['CO_BOGOTA', 'CO_BANCO_BOGOTA'],
            },
          ],
        },
      },
    },
  },
  refusals: [],
  handle: ({ ctx }) =>
    json(200, {
      data: pseBanks(ctx.settings.environment === 'staging').map(({ code, name, aliases }) => ({
        code,
        name,
        aliases,
      })),
    }),
}
