// Prints docs/errors.md and docs/errors.es.md from the catalogue: `node src/api/openapi/errors-markdown.ts`. A test fails if
// a committed file differs.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIELD_CODES, REFUSALS, type RefusalCode } from '../../core/refusal.ts'
import { refusalCodes, STATUS_OF } from '../http/errors.ts'
import {
  ERROR_NOTES_ES,
  FIELD_CODES_ES,
  INTRODUCTION_ES,
  REFUSALS_ES,
  REMEDIES_ES,
  UNCHANGED_ES,
} from './errors-es.ts'
import { endsByItself } from './refusals.ts'

const REMEDIES = {
  correct: 'Correct the request. If you send the same again, it is refused again.',
  credential: 'Send another credential.',
  inspect: 'Check the current state first. If you send the same again, it is refused again.',
  later: 'Send the same again later, with the same `Idempotency-Key`.',
} as const

const ERROR_POINTS: readonly string[] = [
  'Branch on `code`. It is never renamed. `title`, `detail` and `message` are for people and may change.',
  '`type` is the address of the code’s paragraph in the documentation that the service itself serves.',
  '`requestId` is also in the header `x-request-id`. It finds the request in the service’s log.',
  '`errors` lists every wrong field at once. `path` is a JSON pointer into the body, or a slash and the name of a query parameter. `code` is one of the [field codes](#field-codes), or a code of this page if the rule about the field has a name of its own.',
  'Where waiting helps, the header `Retry-After` says how many seconds.',
  '`POST /oauth/token` adds the members `error` and `error_description` of RFC 6749.',
]
const UNCHANGED =
  'A request that was refused has changed nothing, with two exceptions: after `INTERNAL_ERROR` and `STORE_UNAVAILABLE` it may have taken effect, just as when no answer came at all. Send it again with the same `Idempotency-Key` to find out.'

export type ErrorTexts = {
  readonly title: string
  readonly introduction: string
  readonly points: readonly string[]
  readonly unchanged: string
  readonly codes: string
  readonly fieldCodes: string
  readonly status: string
  readonly meaning: string
  readonly refusals: Readonly<Record<RefusalCode, string>>
  readonly fields: Readonly<Record<keyof typeof FIELD_CODES, string>>
  readonly remedies: Readonly<Record<keyof typeof REMEDIES, string>>
}

export const ERROR_TEXTS: Readonly<Record<'en' | 'es', ErrorTexts>> = {
  en: {
    title: 'Errors',
    introduction: 'Every refusal has the same body, as `application/json`, wherever it comes from:',
    points: ERROR_POINTS,
    unchanged: UNCHANGED,
    codes: 'Codes',
    fieldCodes: 'Field codes',
    status: 'Status',
    meaning: 'meaning',
    refusals: REFUSALS,
    fields: FIELD_CODES,
    remedies: REMEDIES,
  },
  es: {
    title: 'Errores',
    introduction: INTRODUCTION_ES,
    points: ERROR_NOTES_ES,
    unchanged: UNCHANGED_ES,
    codes: 'Códigos',
    fieldCodes: 'Códigos de un campo',
    status: 'Estado',
    meaning: 'qué significa',
    refusals: REFUSALS_ES,
    fields: FIELD_CODES_ES,
    remedies: REMEDIES_ES,
  },
}

export function errorsMarkdown(language: 'en' | 'es' = 'en'): string {
  const texts = ERROR_TEXTS[language]
  const anchor = language === 'en' ? '#field-codes' : '#códigos-de-un-campo'
  const paragraphs = refusalCodes().map(
    (code) =>
      `### ${code}\n\n${texts.status} ${STATUS_OF[code]}. ${texts.refusals[code]}\n\n*${remedyOf(code, language)}*\n`,
  )
  const fieldRows = Object.entries(texts.fields).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  return [
    `# ${texts.title}\n`,
    `${texts.introduction}\n`,
    EXAMPLE,
    ...texts.points.map((point) => `- ${point.replace('#field-codes', anchor)}`),
    '',
    `${texts.unchanged}\n`,
    `## ${texts.codes}\n`,
    ...paragraphs,
    `## ${texts.fieldCodes}\n`,
    [`| code | ${texts.meaning} |`, '|---|---|', ...fieldRows].join('\n'),
    '',
  ].join('\n')
}

// The status decides the remedy, with exceptions: a request that is still running is a conflict that ends by itself, as do the
// limits of a day and quiet hours.
export function remedyOf(code: RefusalCode, language: 'en' | 'es' = 'en'): string {
  const { remedies } = ERROR_TEXTS[language]
  const status = STATUS_OF[code]
  if (code === 'IDEMPOTENCY_KEY_IN_USE' || endsByItself(code)) return remedies.later
  if (status === 408 || status === 429 || status >= 500) return remedies.later
  if (status === 401 || status === 403) return remedies.credential
  return status === 409 ? remedies.inspect : remedies.correct
}

const EXAMPLE = `\`\`\`json
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
`

if (import.meta.main) {
  const docs = join(import.meta.dirname, '../../../docs')
  writeFileSync(join(docs, 'errors.md'), errorsMarkdown('en'))
  writeFileSync(join(docs, 'errors.es.md'), errorsMarkdown('es'))
}
