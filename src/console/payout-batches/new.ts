// The page to hand in a file of payouts, and its template to download.

import { BYTE_ORDER_MARK } from '../../api/export/csv.ts'
import { xlsx } from '../../api/export/xlsx.ts'
import { createPayoutBatchOperation } from '../../api/payout-batches/operations.ts'
import { TEMPLATE_LINES, TEMPLATE_ROW } from '../../api/payout-batches/rows.ts'
import { type Html, html } from '../../core/html.ts'
import { COLUMN_HEADS } from '../../core/payout-batches/columns.ts'
import { FILE_PROBLEMS } from '../../core/payout-batches/table.ts'
import type { FieldProblem } from '../../core/refusal.ts'
import { createPage } from '../create/frame.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { icon } from '../icons.ts'
import type { Page, Sent } from '../page.ts'
import type { Route } from '../route.ts'
import { PRIVATE_HEADERS } from '../send.ts'
import type { Visit } from '../visit.ts'
import { BATCH_WORDS } from './words.ts'

const PATH = '/batches/new'
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function fieldsOf(visit: Visit): Field[] {
  const { language } = visit
  const words = BATCH_WORDS[language]
  const wrong = ({ code, message }: FieldProblem): string | undefined => {
    const name = FILE_PROBLEMS.find((one) => message.startsWith(one))
    if (name !== undefined) return words.fileProblems[name] + placeOf(visit, message)
    return code === 'REQUIRED' || code === 'WRONG_LENGTH' ? words.noFile : undefined
  }
  return [
    {
      kind: 'file',
      path: '/file',
      label: words.file,
      hint: words.fileHint,
      accept: `.csv,.xlsx,text/csv,${SHEET}`,
      wrong,
    },
    // As the person's machine calls it: it comes with the file.
    { kind: 'text', path: '/fileName', label: '', isOptional: true },
    { kind: 'flag', path: '/repeat', label: words.repeat, isOptional: true, wrong: () => words.repeated },
  ]
}

// Which cells, or which columns: the file is mended there.
function placeOf({ language }: Visit, message: string): string {
  const words = BATCH_WORDS[language]
  const [, cells] =
    /^(?:MERGED_CELLS|EXTRA_CELLS)\b.*?\b([A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?)/.exec(message) ?? []
  const [, columns] = /^WRONG_LAYOUT\b.*? columns? (.+?) (?:is|are) missing/.exec(message) ?? []
  if (cells !== undefined) return ` ${words.atCells(cells)}`
  return columns === undefined ? '' : ` ${words.missingColumns(columns)}`
}

// The batch that the same file is.
function sameFile({ home, language }: Visit, { problems }: FormState): Html | false {
  const words = BATCH_WORDS[language]
  const repeated = problems.find(({ path }) => path === '/repeat')
  const [batchId] = /[0-9a-f-]{36}/.exec(repeated?.message ?? '') ?? []
  return (
    batchId !== undefined &&
    html`<p class="hint"><a href="${home}/batches/${batchId}">${words.sameFile}</a></p>`
  )
}

async function newBatchPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language, home } = visit
  const words = BATCH_WORDS[language]
  const [example] = Object.values(createPayoutBatchOperation.body?.examples ?? {})
  const templates = (['csv', 'xlsx'] as const).map(
    (kind) =>
      html`<li><a href="${home}/batches/template.${kind}" download>${icon('download')} ${words.templates[kind]}</a></li>`,
  )
  // A line may break between any two.
  const heads = Object.values(COLUMN_HEADS).map((head, at) => html`${at > 0 && html`;<wbr>`}${head}`)
  return createPage(visit, {
    section: 'payouts',
    title: words.title,
    lead: words.lead,
    notes: sameFile(visit, form),
    back: { path: '/batches', label: words.list },
    form: formFrame(visit, form, {
      action: PATH,
      operation: createPayoutBatchOperation,
      fields: fieldsOf(visit).filter(({ path }) => path !== '/fileName'),
      submit: words.upload,
      cancel: '/batches',
      call: { body: example?.value },
    }),
    beside: html`<section class="card panel"><h2>${words.template}</h2><ul>${templates}</ul><p class="hint"><code>${heads}</code></p><p class="hint">${words.computer}</p></section>`,
  })
}

async function sendTemplate({ reply }: Visit, kind: 'csv' | 'xlsx'): Promise<Sent> {
  const heads = Object.values(COLUMN_HEADS)
  const parts: Buffer[] = []
  if (kind === 'xlsx') {
    const rows = [[TEMPLATE_ROW.map((text) => ({ text }))]]
    for await (const part of xlsx({ name: 'Pagos', heads, rows: asynchronous(rows) })) parts.push(part)
  } else parts.push(Buffer.from(BYTE_ORDER_MARK + TEMPLATE_LINES.join('')))
  void reply
    .headers(PRIVATE_HEADERS)
    .header('content-disposition', `attachment; filename="plantilla-pagos.${kind}"`)
    .type(kind === 'xlsx' ? SHEET : 'text/csv; charset=utf-8')
    .send(Buffer.concat(parts))
  return 'sent'
}

async function* asynchronous<Part>(parts: Iterable<Part>): AsyncGenerator<Part> {
  yield* parts
}

export const newBatchRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'payouts:read', show: (visit) => newBatchPage(visit) },
  {
    method: 'GET',
    path: '/batches/template.csv',
    scope: 'payouts:read',
    isStream: true,
    show: (visit) => sendTemplate(visit, 'csv'),
  },
  {
    method: 'GET',
    path: '/batches/template.xlsx',
    scope: 'payouts:read',
    isStream: true,
    show: (visit) => sendTemplate(visit, 'xlsx'),
  },
  {
    method: 'POST',
    path: PATH,
    operation: createPayoutBatchOperation,
    takesFiles: true,
    call: (visit, typed) => ({ body: bodyOf(fieldsOf(visit), typed) }),
    done: (_visit, answer) => `/batches/${(answer as { id: string }).id}`,
    again: newBatchPage,
  },
]
