// A terminal in a fresh folder, as a reader of the guides has it: bash, curl, node and `npx recaudo`. Blocks run one
// after another in the same shell. Two things differ: `npx` is a stand-in that runs this project's command line, because the folder
// is not the clone, and curl fails if the server refuses.

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from '../cli/binary.ts'
import { type Program, ROOT, startProgram } from '../examples/workspace.ts'
import type { World } from '../world.ts'

export type Terminal = {
  directory: string
  /** What the block printed; fails with it if a command of the block failed. */
  run: (block: string) => Promise<string>
  /** Runs a block that does not end by itself. */
  start: (block: string) => Program
  [Symbol.asyncDispose](): Promise<void>
}

const BLOCK_TIMEOUT_MS = 60_000
const DONE = '@@ the block is done @@'

/** In one pass, because an inserted port may itself start like one that is replaced. */
export function atPorts(block: string, ports: Record<string, number | undefined>): string {
  return block.replaceAll(/(?<=http:\/\/127\.0\.0\.1:|--port )\d+/g, (port) => String(ports[port] ?? port))
}

/** `ports` are those of simulated providers: as the guide names them, and as they are here. */
export function openTerminal(world: World, ports: Record<string, number> = {}): Terminal {
  buildIfStale()
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-guide-'))
  mkdirSync(join(directory, '.recaudo'))
  writeFileSync(join(directory, '.recaudo/demo-credentials.json'), JSON.stringify({ apiKey: world.apiKey }))
  const tools = join(directory, 'tools')
  mkdirSync(tools)
  const tool = (name: string, line: string): void => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(tools, name), 0o755)
  }
  const launcher = join(ROOT, 'bin/recaudo.mjs')
  tool('npx', `[ "$1" = recaudo ] || exit 127\nshift\nexec '${process.execPath}' '${launcher}' "$@"`)
  // The guides make it silent. Here a failure prints its reason.
  tool('curl', 'exec /usr/bin/curl --fail-with-body --show-error "$@"')
  tool('node', `exec '${process.execPath}' "$@"`)

  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    PATH: `${tools}:${process.env.PATH}`,
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, '.config'),
    RECAUDO_BASE_URL: world.baseUrl,
    // Of simulated providers.
    SANDBOX_DELAY_MS: '200',
  }
  const here = (block: string): string =>
    atPorts(block, { ...ports, 4000: world.config.port, 4001: world.config.sandbox?.port })
  const shell = spawn('bash', ['-euo', 'pipefail'], { cwd: directory, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  let onOutput = () => {}
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      onOutput()
    })
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  let count = 0

  return {
    directory,
    run: (block) =>
      new Promise((resolve, reject) => {
        output = ''
        count += 1
        const file = join(directory, `block-${count}.sh`)
        writeFileSync(file, here(block))
        const fail = (why: string) => reject(new Error(`${why}:\n${block}\nprinted:\n${output}`))
        const timer = setTimeout(() => fail('the block took too long'), BLOCK_TIMEOUT_MS)
        onOutput = () => {
          const end = output.indexOf(DONE)
          if (end === -1) return
          clearTimeout(timer)
          resolve(output.slice(0, end))
        }
        void ended.then(() => {
          clearTimeout(timer)
          fail('a command of the block failed')
        })
        // Not from the shell's own input: a command that reads its input must not read the next block.
        shell.stdin.write(`source '${file}' < /dev/null\necho '${DONE}'\n`)
      }),
    start: (block) => {
      const settings = { ...env, RECAUDO_API_KEY: world.apiKey } as Record<string, string>
      return startProgram('bash', ['-euc', here(block)], { cwd: directory, env: settings })
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end()
      shell.kill()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
