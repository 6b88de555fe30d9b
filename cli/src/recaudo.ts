#!/usr/bin/env node
// The command. In the server's folder, where the operator's commands are too, that folder's own launcher answers.

import { existsSync } from 'node:fs'

const launcher = new URL('../../bin/recaudo.mjs', import.meta.url)
if (existsSync(launcher)) await import(launcher.href)
else process.exitCode = await (await import('./run.ts')).run(process.argv.slice(2))
