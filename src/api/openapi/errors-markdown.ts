// Prints docs/errors.md from the catalogue: `node src/api/openapi/errors-markdown.ts > docs/errors.md`. A test fails if
// the committed file differs.

import { FIELD_CODES, REFUSALS, type RefusalCode } from '../../core/refusal.ts'
import { refusalCodes, STATUS_OF } from '../http/errors.ts'
import { endsByItself } from './refusals.ts'

export function errorsMarkdown(): string {
  const paragraphs = refusalCodes().map(
    (code) => `### ${code}\n\nStatus ${STATUS_OF[code]}. ${REFUSALS[code]}\n\n*${remedyOf(code)}*\n`,
  )
  const fieldRows = Object.entries(FIELD_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  return [
    INTRODUCTION,
    '## Codes\n',
    ...paragraphs,
    '## Codes of a field\n',
    ['| code | meaning |', '|---|---|', ...fieldRows].join('\n'),
    '',
  ].join('\n')
}

const REMEDIES = {
  correct: 'Correct the request; the same again is refused again.',
  credential: 'Send another credential.',
  inspect: 'Read how things stand first; the same again is refused again.',
  later: 'Send the same again later, with the same `Idempotency-Key`.',
} as const

// The status decides the remedy, with exceptions: a request that is still running is a conflict that ends by itself, as do the
// limits of a day and quiet hours.
export function remedyOf(code: RefusalCode): string {
  const status = STATUS_OF[code]
  if (code === 'IDEMPOTENCY_KEY_IN_USE' || endsByItself(code)) return REMEDIES.later
  if (status === 408 || status === 429 || status >= 500) return REMEDIES.later
  if (status === 401 || status === 403) return REMEDIES.credential
  return status === 409 ? REMEDIES.inspect : REMEDIES.correct
}

const INTRODUCTION = `# Errors

Every refusal has the same body, whatever refused it, as \`application/json\`:

\`\`\`json
{
  "type": "https://recaudo.example/docs/errors#INVALID_INPUT",
  "title": "Bad request",
  "status": 400,
  "detail": "/amountInCents: must be at least 1",
  "code": "INVALID_INPUT",
  "requestId": "019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90",
  "errors": [{ "path": "/amountInCents", "code": "OUT_OF_RANGE", "message": "must be at least 1" }]
}
\`\`\`

- Branch on \`code\`. It is never renamed; \`title\`, \`detail\` and \`message\` are for people and may change.
- \`type\` is the address of the code’s paragraph in the documentation that the service itself serves.
- \`requestId\` is also in the header \`x-request-id\`, and names the request in the service’s log.
- \`errors\` lists every wrong field at once. \`path\` is a JSON pointer into the body, or the name of a query parameter after a
  slash. \`code\` is one of the [field codes](#codes-of-a-field), or a code of this page where a rule about a field has a name
  of its own.
- Where waiting helps, the header \`Retry-After\` says how many seconds.
- \`POST /oauth/token\` adds the members \`error\` and \`error_description\` of RFC 6749.

A request that was refused has changed nothing, with two exceptions: after \`INTERNAL_ERROR\` and \`STORE_UNAVAILABLE\`, as when
no answer came at all, it may have taken effect. Send it again with the same \`Idempotency-Key\` to find out.
`

if (import.meta.main) process.stdout.write(errorsMarkdown())
