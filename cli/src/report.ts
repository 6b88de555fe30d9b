// Reports a failure: what is wrong, each wrong field, what to do, and the server's request id. The SDK's messages name
// settings of a program; here they are reworded to name flags and variables.

import type { ApiError } from '@recaudo/sdk'
import { flagOf } from './body.ts'
import { align } from './columns.ts'
import { EXIT, type ExitCode, Failure } from './failure.ts'
import { clean, isColoured, note } from './terminal.ts'

export type Reported = {
  readonly exitCode: ExitCode
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

// Checks errors by name, so that the SDK need not be loaded to report a missing flag.
export function reported(error: unknown): Reported {
  const { name, message, stack } = error as Error
  if (error instanceof Failure) {
    // Only the first paragraph goes into the JSON. The help after it is for people.
    const [sentence] = message.split('\n\n')
    return {
      exitCode: error.exitCode,
      text: message,
      json: { code: CODES[error.exitCode], message: sentence },
    }
  }
  if (name === 'ApiError') return reportedRefusal(error as ApiError)
  if (name === 'ConnectionError' || name === 'TimeoutError') {
    const text = inCliTerms(message)
    const { idempotencyKey } = error as { idempotencyKey?: string }
    return {
      exitCode: EXIT.unreachable,
      text,
      json: { code: CODES[EXIT.unreachable], message: text, idempotencyKey },
    }
  }
  if (name === 'RecaudoError') {
    const text = inCliTerms(message)
    return { exitCode: EXIT.usage, text, json: { code: CODES[EXIT.usage], message: text } }
  }
  // A system error's message names the file. Anything else is a bug and is shown with its stack.
  const isSystem = (error as NodeJS.ErrnoException).syscall !== undefined
  const text = isSystem ? message : (stack ?? String(error))
  return { exitCode: EXIT.failed, text, json: { code: CODES[EXIT.failed], message } }
}

export function report(error: unknown, isJson: boolean): ExitCode {
  const { exitCode, text, json } = reported(error)
  if (isJson) note(JSON.stringify({ error: json }, null, 2))
  else note(`${isColoured(process.stderr) ? '\x1b[31mrecaudo:\x1b[39m' : 'recaudo:'} ${text}`)
  return exitCode
}

const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'DONE',
  [EXIT.failed]: 'FAILED',
  [EXIT.usage]: 'USAGE',
  [EXIT.credentials]: 'CREDENTIALS',
  [EXIT.unreachable]: 'UNREACHABLE',
}

function reportedRefusal(error: ApiError): Reported {
  const { code, status, detail, errors, requestId, type, idempotencyKey } = error
  const advice = inCliTerms(adviceOf(error))
  const fieldLines = align(
    errors.map(({ path, message }) => {
      const flag = flagOf(path)
      return [`  ${path}${flag === undefined ? '' : ` (--${flag})`}`, message]
    }),
  )
  const identity = [code, `status ${status}`, requestId && `request ${requestId}`, type]
    .filter(Boolean)
    .join(' · ')
  // The fields follow, one per line.
  const head =
    code === 'INVALID_INPUT' && errors.length > 0
      ? `${errors.length === 1 ? 'A field is' : `${errors.length} fields are`} wrong:`
      : inCliTerms(detail) + advice
  const lines = [clean(head), fieldLines, `  ${clean(identity)}`].filter((line) => line !== '')
  const exitCode =
    status === 401 ? EXIT.credentials : code === 'UNEXPECTED_ANSWER' ? EXIT.unreachable : EXIT.failed
  return {
    exitCode,
    text: lines.join('\n'),
    json: { code, status, message: inCliTerms(detail) + advice, errors, requestId, type, idempotencyKey },
  }
}

// The advice that the SDK adds to the server's message, between the fields and the code.
function adviceOf({ message, detail, errors, code, requestId }: ApiError): string {
  const fields = errors.map((field) => ` ${field.path} ${field.message}.`).join('')
  return message.slice((detail + fields).length, -` [${code} ${requestId}]`.length)
}

function inCliTerms(text: string): string {
  return text
    .replaceAll('a baseUrl', 'an address')
    .replaceAll(/\bbaseUrl\b/g, 'the address (RECAUDO_BASE_URL, or `recaudo login --base-url`)')
    .replaceAll(/\bidempotencyKey\b/g, '--idempotency-key')
    .replaceAll(/follow again with after: (\d+)/g, 'go on with --since $1')
}
