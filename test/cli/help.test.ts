// One command line for merchants and operators: the help lists both by group, misspellings get a suggestion, and the
// shell completes everything.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { COMMANDS } from '../../cli/src/command-table.ts'
import API from '../../openapi.json' with { type: 'json' }
import OPERATORS from '../../src/operator/command-help.json' with { type: 'json' }
import { asMerchant, type Merchant, nodes } from './binary.ts'
import { merchantInProcess } from './in-process.ts'

const GROUPS = [
  ...['Service', 'Organizations and keys', 'Money', 'Webhooks (operator)'],
  ...['Collect and send', 'Events and webhooks', 'Connections', 'Credentials', 'Team', 'Sandbox', 'Set-up'],
]

type Flags = Readonly<Record<string, { values?: readonly string[] }>>
type Schema = { enum?: readonly string[]; anyOf?: readonly { const?: string }[] }
type Paths = Readonly<Record<string, { get?: { parameters: readonly { name: string; schema: Schema }[] } }>>

// Lists that a command calls otherwise than the API.
const LISTS: Readonly<Record<string, string>> = {
  links: '/payment-links',
  pages: '/payment-pages',
  unmatched: '/suspense',
  webhooks: '/webhook-endpoints',
  team: '/team/members',
}

describe('help', () => {
  let merchant: Merchant
  before(() => {
    merchant = asMerchant()
  })
  after(() => merchant[Symbol.dispose]())

  const commands = (stdout: string) =>
    [...stdout.matchAll(/^ {2}recaudo ([\w -]+?)(?: [<[].*)?(?: {2,}|$)/gm)].map(([, name]) => name as string)

  for (const [major, node] of nodes())
    it(`shows all commands by group, on Node ${major}`, async () => {
      using here = merchantInProcess()
      for (const args of [['--help'], ['help'], [], ['-h']]) {
        const isFirst = args[0] === '--help'
        const { code, stdout, stderr } = await (isFirst ? merchant.run(args, { node }) : here.run(args))
        assert.deepEqual([code, stderr], [0, ''])
        const titles = stdout.split('\n').filter((line) => GROUPS.includes(line))
        assert.deepEqual(titles, GROUPS)
        const names = commands(stdout)
        for (const name of Object.values(OPERATORS).flatMap((group) => Object.keys(group)))
          assert.ok(names.includes(name), name)
        for (const name of ['payins create', 'listen', 'trigger', 'doctor', 'webhooks list'])
          assert.ok(names.includes(name), name)
        assert.equal(new Set(names).size, names.length, 'none has two meanings')
      }
    })

  it('every merchant command shows its arguments', async () => {
    const names = commands((await merchant.run(['--help'])).stdout)
    const operators = new Set(Object.values(OPERATORS).flatMap((group) => Object.keys(group)))
    const own = names.filter((name) => !operators.has(name))
    assert.ok(own.length > 30)
    using here = merchantInProcess()
    for (const name of own) {
      const { code, stdout } = await here.run([...name.split(' '), '--help'])
      assert.equal(code, 0)
      assert.ok(stdout.startsWith(`recaudo ${name}`), stdout)
      assert.match(stdout, /^ {2}--json +print JSON$/m)
    }
  })

  it('a process ends, prints and objects as the same command does in the process of a test', async () => {
    using here = merchantInProcess()
    for (const args of [
      ['payins', 'list', '--help'],
      ['payins', 'frobnicate'],
      ['payins', 'list', '--json'],
    ])
      assert.deepEqual(await here.run(args), await merchant.run(args), args.join(' '))
  })

  it('and offers to filter a list by the very values that the API knows', () => {
    let compared = 0
    for (const [name, { flags }] of Object.entries(COMMANDS)) {
      const [noun = '', verb] = name.split(' ')
      if (verb !== 'list') continue
      const path = LISTS[noun] ?? `/${noun}`
      const { parameters } = (API.paths as unknown as Paths)[path]?.get ?? assert.fail(path)
      for (const [flag, { values }] of Object.entries(flags as Flags)) {
        const filter = parameters.find((parameter) => parameter.name === flag)
        const known = filter?.schema.enum ?? filter?.schema.anyOf?.flatMap((one) => one.const ?? [])
        // One that offers no choices leaves it to the API, as where there are very many.
        if (values === undefined) continue
        assert.deepEqual([...values].sort(), known?.toSorted(), `${name} --${flag}`)
        compared += 1
      }
    }
    assert.ok(compared > 12, String(compared))
  })

  it('and the README names every merchant command, and no other', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../cli/README.md'), 'utf8')
    const [, table = ''] = /^## Commands\n(.*?)^Each takes /ms.exec(readme) ?? []
    // `links create \\| list` names two; what is written large or with signs is an argument.
    const named = [...table.matchAll(/^\| (.+?) (?<!\\)\|/gm)].flatMap(([, cell]) =>
      [...(cell as string).matchAll(/`([^`]+)`/g)].flatMap(([, code]) => {
        const [first = '', ...more] = (code as string).split(' \\| ')
        const [family = '', second = ''] = first.split(' ')
        const name = [family, `${family} ${second}`].find((one) => Object.hasOwn(COMMANDS, one)) ?? first
        return [name, ...more.map((word) => `${family} ${word}`)]
      }),
    )
    assert.deepEqual([...new Set(named)].sort(), Object.keys(COMMANDS).sort())
  })

  it('has no example that works on one system only', () => {
    for (const [name, { example = '' }] of Object.entries(COMMANDS))
      assert.doesNotMatch(example, /\b(?:pbpaste|pbcopy|xclip|clip\.exe|open|xdg-open)\b/, name)
  })

  it('shows one family, of both kinds where both have it', async () => {
    const { stdout, code } = await merchant.run(['webhooks', '--help'])
    assert.equal(code, 0)
    const names = commands(stdout)
    assert.ok(names.every((name) => name.startsWith('webhooks ')))
    for (const name of ['webhooks overview', 'webhooks backlog', 'webhooks create', 'webhooks list'])
      assert.ok(names.includes(name), name)
    assert.ok(commands((await merchant.run(['key', '--help'])).stdout).includes('key roll'))
  })

  it('suggests a command for a misspelling, merchant’s or operator’s, and exits with 2', async () => {
    const guesses: [string[], string][] = [
      [['payins', 'creat'], 'payins create'],
      [['payin', 'list'], 'payins list'],
      [['lsiten'], 'listen'],
      [['webhook', 'list'], 'webhooks list'],
      [['webhooks', 'backlg'], 'webhooks backlog'],
      [['strat'], 'start'],
      [['ledger', 'verfy'], 'ledger verify'],
    ]
    using here = merchantInProcess()
    for (const [args, guess] of guesses) {
      const end = await here.run(args)
      assert.deepEqual([end.code, end.stdout], [2, ''])
      assert.equal(
        end.stderr,
        `recaudo: There is no command "${args.join(' ')}". Did you mean \`recaudo ${guess}\`? \`recaudo --help\` lists them all.\n`,
      )
    }
    const strange = await merchant.run(['frobnicate'])
    assert.equal(strange.code, 2)
    assert.match(
      strange.stderr,
      /^recaudo: There is no command "frobnicate"\.\n\nRecaudo: .+recaudo start .+recaudo doctor /s,
    )
    const alone = await here.run(['payins'])
    assert.equal(alone.code, 2)
    assert.match(alone.stderr, /There is no command "payins"\..+recaudo payins create/s)
    assert.deepEqual((await here.run(['payins', 'creat', '--json'])).json, {
      error: {
        code: 'USAGE',
        message:
          'There is no command "payins creat". Did you mean `recaudo payins create`? `recaudo --help` lists them all.',
      },
    })
  })

  it('has colours in a terminal, and none where NO_COLOR is set', {
    skip: !existsSync('/usr/bin/script'),
  }, () => {
    const shown = (env: Record<string, string>) =>
      execFileSync(
        '/usr/bin/script',
        [
          '-qec',
          `${process.execPath} ${join(import.meta.dirname, '../../bin/recaudo.mjs')} --help`,
          '/dev/null',
        ],
        { env: { ...merchant.env, TERM: 'xterm', ...env }, encoding: 'utf8', timeout: 30_000, stdio: 'pipe' },
      )
    assert.ok(shown({}).includes('\x1b[1mSandbox'))
    assert.ok(!shown({ NO_COLOR: '1' }).includes('\x1b'))
    assert.ok(!shown({ TERM: 'dumb' }).includes('\x1b'))
  })

  it('exits quietly when its reader closes the pipe', () => {
    const line = `${process.execPath} ${join(import.meta.dirname, '../../bin/recaudo.mjs')} --help | head -1`
    const said = execFileSync('bash', ['-o', 'pipefail', '-c', line], { env: merchant.env, encoding: 'utf8' })
    assert.match(said, /^Recaudo: /)
  })

  describe('completion', () => {
    let completion: string
    before(async () => {
      completion = (await merchant.run(['completion', 'bash'])).stdout
    })
    const complete = (line: string): string[] => {
      const words = line.split(/\s+|(?<=:)|(?=:)/)
      const script = join(merchant.home, 'complete.bash')
      writeFileSync(
        script,
        `${completion}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
_recaudo; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p recaudo >&2`,
      )
      const env = { ...merchant.env, COMP_WORDBREAKS: ` "'><=;|&(:` }
      return execFileSync('bash', [script], { env, encoding: 'utf8', stdio: 'pipe' })
        .split('\n')
        .filter(Boolean)
    }

    it('in bash offers commands, flags and values, each where it is valid', () => {
      assert.deepEqual(complete('recaudo pay'), ['payins', 'payouts', 'payout-batches'])
      assert.deepEqual(complete('recaudo payins c'), ['create', 'cancel'])
      assert.deepEqual(complete('recaudo payins create --rail '), ['BRE_B', 'PSE'])
      assert.deepEqual(complete('recaudo payins create --rail P'), ['PSE'])
      assert.ok(complete('recaudo payins create --').includes('--amount-in-cents'))
      assert.deepEqual(complete('recaudo payins list --st'), ['--status'])
      assert.deepEqual(complete('recaudo pages u'), ['update'])
      assert.deepEqual(complete('recaudo pages update 019a --max-'), [
        '--max-amount-in-cents',
        '--max-pieces',
        '--max-payments',
      ])
      assert.deepEqual(complete('recaudo trigger payin.c'), [
        'payin.confirmed',
        'payin.canceled',
        'payin.chargeback',
      ])
      assert.deepEqual(complete('recaudo trigger payin.confirmed --r'), ['--rail'])
      assert.deepEqual(complete('recaudo trigger document:100000000'), [
        '1000000001',
        '1000000003',
        '1000000005',
        '1000000007',
      ])
      assert.deepEqual(complete('recaudo completion '), ['bash', 'zsh', '--json', '--help'])
      assert.deepEqual(complete('recaudo connections d'), ['delete', 'deposit', 'deposits'])
      assert.deepEqual(complete('recaudo connections create --provider m'), ['mono'])
      assert.deepEqual(complete('recaudo listen --forward-to '), [])
      assert.deepEqual(complete('recaudo nonsense '), [])
    })

    const zsh = (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'zsh'))
      .find((path) => existsSync(path))
    it('is valid zsh', { skip: zsh === undefined && 'there is no zsh here' }, async () => {
      const { stdout } = await merchant.run(['completion', 'zsh'])
      const file = join(merchant.home, '_recaudo')
      writeFileSync(file, stdout)
      execFileSync(zsh ?? '', ['-n', file])
    })

    it('is printed for zsh with every command, and for no other shell', async () => {
      const { stdout } = await merchant.run(['completion', 'zsh'])
      assert.match(stdout, /^#compdef recaudo\n/)
      for (const name of ['payins create', 'webhooks rotate-secret', 'connections banks', 'clock advance'])
        assert.ok(stdout.includes(`'${name} '*)`), name)
      const end = await merchant.run(['completion', 'fish'])
      assert.equal(end.code, 2)
      assert.match(end.stderr, /There is completion for bash and zsh, not for "fish"\./)
    })
  })
})
