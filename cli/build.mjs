// Builds dist/: plain JavaScript, one file for each of src/, so that a command loads only what it needs. The files are
// made aside and then put in place one by one: whoever runs the command meanwhile finds every file whole.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')
const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(/package\.json$/, 'bin/tsc')

mkdirSync(dist, { recursive: true })
const aside = mkdtempSync(join(here, '.build-'))
try {
  execFileSync(process.execPath, [tsc, '-p', '.', '--outDir', aside], { cwd: here, stdio: 'inherit' })
  chmodSync(join(aside, 'recaudo.js'), 0o755)
  const names = readdirSync(aside)
  for (const name of names) renameSync(join(aside, name), join(dist, name))
  const stale = readdirSync(dist).filter((name) => name.endsWith('.js') && !names.includes(name))
  for (const name of stale) rmSync(join(dist, name))
} finally {
  rmSync(aside, { recursive: true, force: true })
}
