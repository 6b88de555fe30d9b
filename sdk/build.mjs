// Builds dist/: one file of plain JavaScript without comments and line breaks, and declarations with comments. The names of
// files in declarations end in .js, because not every tool finds x.d.ts when it is told x.ts.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = new URL('.', import.meta.url)
const dist = new URL('dist/', here)
const read = (name) => readFileSync(new URL(name, dist), 'utf8')

rmSync(dist, { recursive: true, force: true })
compile('--removeComments')
const bundle = bundled('./recaudo.js')
for (const name of readdirSync(dist).filter((one) => one.endsWith('.js'))) rmSync(new URL(name, dist))
writeFileSync(new URL('recaudo.js', dist), bundle)
compile('--emitDeclarationOnly')
for (const name of readdirSync(dist).filter((one) => one.endsWith('.d.ts')))
  writeFileSync(new URL(name, dist), read(name).replaceAll(/((['"])\.\/[\w-]+)\.ts\2/g, '$1.js$2'))

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
    // The compiler ends every statement with a semicolon, and no text of ours spans lines.
    .replaceAll(/(?<=\w)\n(?=[\w$#])/g, ' ')
    .replaceAll('\n', '')
  return `${before}${own}\n`
}

function compile(flag) {
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    /package\.json$/,
    'bin/tsc',
  )
  execFileSync(process.execPath, [tsc, '-p', '.', flag], { cwd: here, stdio: 'inherit' })
}
