// Builds dist/: for each entry one file of plain JavaScript without comments, one statement a line so that a stack trace leads
// to it, and declarations with comments. The names of files in declarations end in .js, because not every tool finds x.d.ts
// when it is told x.ts. The files are made aside and then put in place one by one: whoever imports them meanwhile finds every
// file whole.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ENTRIES = [
  'recaudo.js',
  'receipts.js',
  'administration.js',
  'audit.js',
  'approvals.js',
  'deposits.js',
  'payout-batches.js',
  'refunds.js',
  'reports.js',
  'suspense.js',
  'team.js',
]
const here = new URL('.', import.meta.url)
const dist = new URL('dist/', here)
mkdirSync(dist, { recursive: true })
const aside = pathToFileURL(`${mkdtempSync(fileURLToPath(new URL('.build-', here)))}/`)
const read = (name) => readFileSync(new URL(name, aside), 'utf8')

try {
  compile('--removeComments')
  const bundles = ENTRIES.map((entry) => [entry, joined(withoutSmallConstants(tight(bundled(`./${entry}`))))])
  for (const name of readdirSync(aside).filter((one) => one.endsWith('.js'))) rmSync(new URL(name, aside))
  for (const [entry, bundle] of bundles) writeFileSync(new URL(entry, aside), bundle)
  compile('--emitDeclarationOnly')
  for (const name of readdirSync(aside).filter((one) => one.endsWith('.d.ts')))
    writeFileSync(new URL(name, aside), read(name).replaceAll(/((['"])\.\/[\w-]+)\.ts\2/g, '$1.js$2'))
  const names = readdirSync(aside)
  for (const name of names) renameSync(new URL(name, aside), new URL(name, dist))
  const stale = readdirSync(dist).filter((name) => /\.(?:js|d\.ts)$/.test(name) && !names.includes(name))
  for (const name of stale) rmSync(new URL(name, dist))
} finally {
  rmSync(aside, { recursive: true, force: true })
}

// Every file once, after those it needs. Names at the top of the files differ, or the result would not parse.
function bundled(entry, seen = new Set()) {
  if (seen.has(entry)) return ''
  seen.add(entry)
  const isEntry = seen.size === 1
  let before = ''
  const own = read(entry)
    .replaceAll(/^(?:import|export) (\{[^}]*\}) from '(\.[^']+)';\n/gm, (line, names, file) => {
      before += bundled(file, seen)
      return isEntry && line.startsWith('export') ? `export ${names};\n` : ''
    })
    .replaceAll(/^export (?=\w)/gm, isEntry ? '$&' : '')
    .replaceAll(/^ +/gm, '')
    // Before a line that begins like this the semicolon stays: without it the two would be one statement.
    .replaceAll(/;\n(?![[(`])/g, '\n')
    // No text of ours holds these.
    .replaceAll(' = ', '=')
    .replaceAll(') {', '){')
    .replaceAll(/(?<=\d)_(?=\d{3})/g, '')
  return before + own
}

// A constant that is used once is written where it is used: its name explains it in the source, and costs bytes here.
function withoutSmallConstants(code) {
  let rest = code
  for (const [line, name, value] of code.matchAll(/^const ([A-Z_]+)=(.+)\n/gm)) {
    const uses = new RegExp(`\\b${name}\\b`, 'g')
    if (rest.match(uses).length !== 2) continue
    rest = rest.replace(line, '').replace(uses, () => (/^\d.*[-+*/]/.test(value) ? `(${value})` : value))
  }
  return rest
}

// Spaces around signs help only in the source. Texts keep theirs.
function tight(code) {
  return code.replaceAll(
    /('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<=[\w\])}"'`]) ?(=>|[,:?=+<>*]|\?\?=?|[!=]==|&&|\|\|) (?=[\w[({"'`#!~$./-])|(?<=[\w\])]) ([-/]|\*\*|[<>!]=|\+=) (?=[\w(])| (\|\||&&|\?\?)$|^([?:]) |(?<=[{(;]|\[,|\/,) (?=\S)|(?<=\b(?:if|for|while|async|catch|switch|try)) (?=[({])|(?<=\)) (?={)|(?<=\S) (?=[})]|{$)/gm,
    (_, text, ...signs) => text ?? signs.slice(0, 4).find((sign) => sign) ?? '',
  )
}

// Lists of exports that follow one another are one.
function joined(code) {
  return code.replaceAll(/^(export *\{.*?),?\}\nexport *\{/gm, '$1,')
}

function compile(flag) {
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    /package\.json$/,
    'bin/tsc',
  )
  execFileSync(process.execPath, [tsc, '-p', '.', flag, '--outDir', fileURLToPath(aside)], {
    cwd: here,
    stdio: 'inherit',
  })
}
