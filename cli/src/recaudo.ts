#!/usr/bin/env node
// The entry point of the command. In the server's folder, that folder's launcher runs instead, because it also has the
// operator's commands.

import { existsSync } from 'node:fs'

const launcher = new URL('../../bin/recaudo.mjs', import.meta.url)
if (existsSync(launcher)) await import(launcher.href)
else process.exitCode = await (await import('./run.ts')).run(process.argv.slice(2))
