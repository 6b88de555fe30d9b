// After `npm ci`: builds the client and the command line, where the compiler is there. Without it (`--omit=dev`) the
// service needs neither, and bin/recaudo.mjs says what is missing to whoever asks for a merchant's command.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

if (process.platform === 'win32')
  process.stdout.write('Recaudo does not run on Windows itself, but in WSL: see README.md.\n')
else if (hasCompiler()) {
  for (const script of ['../sdk/build.mjs', 'build.mjs'])
    execFileSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], { stdio: 'inherit' })
}

// The compiler is a program in an optional package of its own (`--omit=optional`).
function hasCompiler() {
  const { resolve } = createRequire(import.meta.url)
  try {
    return [
      'typescript/package.json',
      `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
    ].every((name) => resolve(name) !== '')
  } catch {
    return false
  }
}
