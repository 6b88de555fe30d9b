// Several test files in one process, which loads and compiles the service once for all of them.

import { join } from 'node:path'

// The text of a file that runs `files` of `root`, one after the other. Each is a suite: what one asks for before or after each of its own
// tests is not done for those of the others, and what it opened is closed before the next begins. A suite has what is read while it is
// made, so a file must not wait for anything while it is read: `require` refuses it then.
export function testProcessScript(root: string, files: readonly string[]): string {
  const suites = files.map(
    (file) => `describe(${JSON.stringify(file)}, () => void require(${JSON.stringify(join(root, file))}))\n`,
  )
  return `import { createRequire } from 'node:module'
import { describe } from 'node:test'

const require = createRequire(import.meta.url)
${suites.join('')}`
}
