// Every `recaudo` command in the guides and in the examples' READMEs exists, with every flag it is given there.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, mock } from 'node:test'
import { COMMANDS } from '../../cli/src/command-table.ts'
import { runOperatorCommand } from '../../src/operator/commands.ts'
import { ROOT } from '../examples/workspace.ts'
import { codeWords, guides } from './guide.ts'

type Use = { path: string; words: string[]; flags: string[] }

// A command continues after a backslash at the end of a line; a comment ends it.
function usesIn(path: string, text: string): Use[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ')
  return [...joined.matchAll(/\brecaudo ((?:[a-z][a-z-]* ?){1,2})([^\n`#|]*)/g)]
    .filter(([all]) => !/^recaudo (?:is|the|and|or|es|de)\b/.test(all))
    .map(([, words, rest]) => ({
      path,
      words: (words as string).trim().split(' '),
      flags: [...(rest as string).matchAll(/(?<=\s|^)--([a-z-]+)/g)].map(([, flag]) => flag as string),
    }))
}

const readmes = globSync('examples/*/README.md', { cwd: ROOT }).map(
  (path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const,
)
const uses = [
  ...guides.flatMap((guide) => [
    ...codeWords(guide).flatMap((code) => usesIn(guide.path, code)),
    ...guide.blocks
      .filter(({ language }) => language === 'sh' || language === 'bash')
      .flatMap(({ text }) => usesIn(guide.path, text)),
  ]),
  ...readmes.flatMap(([path, text]) => usesIn(path, text)),
]

// A flag makes another command of `doctor`.
const isMerchants = ({ words, flags }: Use): string | undefined =>
  flags.includes('operator')
    ? undefined
    : [words.join(' '), words[0] as string].find((name) => Object.hasOwn(COMMANDS, name))

describe('the commands that guides name', () => {
  it('merchants’ commands exist, with their flags', () => {
    const merchants = uses.filter(isMerchants)
    assert.ok(merchants.length > 30)
    for (const use of merchants) {
      const name = isMerchants(use) as string
      const known = [...Object.keys(COMMANDS[name]?.flags ?? {}), 'json', 'help']
      for (const flag of use.flags) assert.ok(known.includes(flag), `${use.path}: recaudo ${name} --${flag}`)
    }
  })

  it('operators’ commands exist, with their flags', async () => {
    const operators = uses.filter((use) => isMerchants(use) === undefined)
    assert.ok(operators.length > 15)
    const helpTexts = new Map<string, string>()
    for (const { path, words, flags } of operators) {
      const name = flags.includes('operator')
        ? `${words[0]} --operator`
        : ['start', 'migrate', 'sandbox'].includes(words[0] as string)
          ? (words[0] as string)
          : words.join(' ')
      if (!helpTexts.has(name)) {
        const text = await helpOf(name).catch((error: Error) =>
          assert.fail(`${path}: recaudo ${name}: ${error.message}`),
        )
        helpTexts.set(name, text)
      }
      assert.match(
        helpTexts.get(name) as string,
        new RegExp(`^recaudo ${name}\\b`),
        `${path}: recaudo ${name}`,
      )
      for (const flag of flags)
        assert.ok(helpTexts.get(name)?.includes(`--${flag}`), `${path}: recaudo ${name} --${flag}`)
    }
  })
})

// Here, and not in a process for each: that the command finds them is in test/process. Help is printed before anything is waited for.
async function helpOf(name: string): Promise<string> {
  const printing = mock.method(process.stdout, 'write', () => true)
  const ended = runOperatorCommand([...name.split(' '), '--help'])
  const printed = printing.mock.calls.map(({ arguments: [text] }) => String(text))
  printing.mock.restore()
  assert.equal(await ended, 0)
  return printed.join('')
}
