// After `npm ci`: builds the client and the command line, where the compiler is there. Without it (`--omit=dev`) the
// service needs neither, and bin/recaudo.mjs says what is missing to whoever asks for a merchant's command.

import { execFileSync } from 'node:child_process'

if (hasCompiler()) {
  for (const script of ['../sdk/build.mjs', 'build.mjs'])
    execFileSync(process.execPath, [new URL(script, import.meta.url).pathname], { stdio: 'inherit' })
}

function hasCompiler() {
  try {
    return import.meta.resolve('typescript/package.json') !== ''
  } catch {
    return false
  }
}
