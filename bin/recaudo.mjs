#!/usr/bin/env node
// Runs a merchant's command right here, and an operator's on the Node that Recaudo brings along, so that any Node from
// 20 on is enough to install and start it. This file, choose-node.mjs and cli/ must therefore run on Node 20; src/main.ts
// and all behind it are for Node 26, and run on 24 too where that is all there is.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
// Taken whole: Node 20 lacks some of its names, and a missing one would end this file before its first line.
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseNode } from './choose-node.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_LOOK_MS = 250

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const main = join(root, 'src', 'main.ts')
const resolution = new URL('module-resolution.mjs', import.meta.url).href
// Node goes without a cache where it cannot write one.
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'recaudo')

const argv = process.argv.slice(2)
const operators = JSON.parse(readFileSync(join(root, 'src', 'operator', 'command-help.json'), 'utf8'))
const merchants = new URL('../cli/dist/run.js', import.meta.url)

if (!isOperators(argv) && existsSync(merchants)) {
  // Help and what nobody knows are answered there too, with both lists of commands in view.
  const { run } = await import(merchants.href)
  process.exitCode = await run(argv, operators)
} else {
  if (!isOperators(argv))
    process.stderr.write(
      'recaudo: the commands for merchants are not built: `npm ci`, with development packages, builds them.\n',
    )
  await operate()
}

function isOperators([first, ...rest]) {
  const names = Object.values(operators).flatMap((commands) => Object.keys(commands))
  // A flag that makes it another command may stand anywhere.
  const words = [rest[0], ...rest.filter((word) => word.startsWith('--'))]
  return names.includes(first) || words.some((word) => names.includes(`${first} ${word}`))
}

async function operate() {
  const { platform, arch, version, execPath: path } = process
  const packages = JSON.parse(readFileSync(join(root, 'src', 'embedded', 'platforms.json'), 'utf8'))
  const { node, problem } = chooseNode({ platform, arch, version, path, packages, findNode })
  if (problem !== undefined) giveUp(problem)
  else if (node !== 'here') runOn(node)
  else {
    module.enableCompileCache(compileCache)
    onParentsEnd(() => process.kill(process.pid, 'SIGTERM'))
    await import(resolution)
    await import('../src/main.ts')
  }
}

function findNode(packageName) {
  try {
    const packageJson = module.createRequire(import.meta.url).resolve(`${packageName}/package.json`)
    const node = join(dirname(packageJson), 'bin', 'node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

function runOn(node) {
  const flags = ['--disable-warning=ExperimentalWarning', '--import', resolution]
  const child = spawn(node, [...flags, main, ...argv], {
    // The channel carries no messages: it closes when this process dies in any way, and the child hears of
    // that.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  child.once('error', (error) => giveUp(`Recaudo could not start its own Node at ${node}: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal === 'SIGKILL')
      process.stderr.write(
        'recaudo: Recaudo was killed (SIGKILL), by somebody or by the system for lack of memory, which its log says (dmesg). Start it again: nothing that was answered is lost.\n',
      )
    process.exit(code ?? 128 + constants.signals[signal])
  })
  // Ctrl-C reaches the child from the terminal too; it treats a second signal of a kind like the first.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  onParentsEnd(() => child.kill('SIGTERM'))
}

// npm and its shell end at a SIGTERM without passing it on: whoever stops `npm start` means the service.
function onParentsEnd(stop) {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    stop()
  }, PARENT_LOOK_MS)
  look.unref()
}

function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
