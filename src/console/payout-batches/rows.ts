// The rows of a batch with what is wrong beside each cell, and the page on which one is corrected.

import { changePayoutBatchRowOperation } from '../../api/payout-batches/rows.ts'
import { maskKey } from '../../core/directory/breb-key.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { type BatchRow, isEditable } from '../../core/payout-batches/batch.ts'
import { BATCH_COLUMNS, type BatchColumn, type RowCells } from '../../core/payout-batches/columns.ts'
import { problemsOf } from '../../core/payout-batches/object.ts'
import { cellsOfPerson, NO_PERSON, paidKeyOf } from '../../core/payout-batches/person.ts'
import { isError, type RowProblem } from '../../core/payout-batches/row.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import type { FieldProblem } from '../../core/refusal.ts'
import type { BatchView } from '../../flows/payout-batches/view.ts'
import { type BatchRowFilters, batchRowList, getBatchRow } from '../../store/payout-batches/rows.ts'
import { getPayouts } from '../../store/payouts/payouts.ts'
import { createPage } from '../create/frame.ts'
import { bodyOf, type Field } from '../fields.ts'
import { actionButton, formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, countText } from '../format.ts'
import { shownControl, shownPersonRoute } from '../objects/shown-person.ts'
import type { Page } from '../page.ts'
import { maskedCustomer, type PeopleEyes } from '../people.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { batchEyes, batchIdIn, onlyIn, viewIn, within, withinShownRows } from './visited.ts'
import { BATCH_WORDS } from './words.ts'

const PAGE_ROWS = 50
const SHOWN_COLUMNS = ['key', 'amount', 'reference', 'name', 'idNumber', 'email'] as const

export async function rowsTable(visit: Visit, view: BatchView): Promise<Html> {
  const { ctx, organization, language, request, home } = visit
  const { organizationId } = organization
  const { batchId } = view.batch
  const words = BATCH_WORDS[language]
  const query = request.query as { after?: unknown }
  const only = onlyIn(visit)
  const filters: BatchRowFilters = {
    batchId,
    ...(only === 'errors' && { hasErrors: true, state: 'DRAFT' }),
    ...(only === 'warnings' && { hasWarnings: true }),
  }
  const after = typeof query.after === 'string' && isUuid(query.after) ? query.after.toLowerCase() : null
  const list = batchRowList(ctx.db, organizationId, filters)
  const found = await list.seek({ direction: 'older', from: after }, PAGE_ROWS + 1)
  const rows = found.slice(0, PAGE_ROWS)
  const sent = rows.flatMap(({ payoutId }) => (payoutId === null ? [] : [{ organizationId, payoutId }]))
  const payouts = sent.length === 0 ? [] : await getPayouts(ctx.db, sent)
  const byId = new Map(payouts.flatMap((payout) => (payout ? [[payout.payoutId, payout]] : [])))
  const eyes = await batchEyes(visit)
  const at = `${home}/batches/${batchId}`
  const tab = (name: 'errors' | 'warnings' | undefined, label: string, count: number): Html =>
    html`<li><a class="tab" href="${within(visit, `${at}${name === undefined ? '' : `?only=${name}`}`)}"${name === only && html` aria-current="true"`}><span class="tab-name">${label}</span><span class="tab-count">${countText(count, language)}</span></a></li>`
  const { totals } = view
  const tabs = html`<nav aria-label="${words.state}"><ul class="tabs">${tab(undefined, words.all, totals.rows)}${tab('errors', words.errors, totals.withErrors)}${tab('warnings', words.warnings, totals.withWarnings)}</ul></nav>`
  const heads = [words.row, ...SHOWN_COLUMNS.map((column) => words.columns[column]), words.state]
  const more = found.length > PAGE_ROWS ? rows.at(-1)?.rowId : undefined
  const next = new URLSearchParams({ ...(only && { only }), after: more ?? '' })
  const table =
    rows.length === 0
      ? html`<p class="card nothing">${words.noRows}</p>`
      : html`<div class="table" role="region" aria-label="${words.facts.rows}" tabindex="0"><table class="list stacks batch-rows"><caption class="unseen">${words.facts.rows}</caption><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map((row) => rowHtml(visit, view, eyes, row, byId.get(row.payoutId ?? '')))}</tbody></table></div>`
  return html`${tabs}${table}<p>${after !== null && html`<a class="button" href="${withinShownRows(visit, at)}">${words.first}</a>`}${more !== undefined && html` <a class="button" href="${within(visit, `${at}?${next.toString()}`)}">${words.next}</a>`}</p>`
}

function cellsSeen(eyes: PeopleEyes, row: BatchRow): RowCells {
  const fields = eyes.vault.open(row.person, row.rowId)
  if (typeof fields === 'string') return { ...NO_PERSON, name: eyes.inPlaceOf(fields) }
  const cells = cellsOfPerson(fields)
  if (!eyes.isMasked) return cells
  // As on every other page: two ways to mask the same key would show nearly all of it.
  const { name, idNumber, email } = maskedCustomer({ ...cells, phone: '' })
  return { ...cells, key: maskKey(cells.key), name, idNumber, email }
}

function paidKeySeen(eyes: PeopleEyes, row: BatchRow): string | null {
  const fields = eyes.vault.open(row.person, row.rowId)
  const key = typeof fields === 'string' ? null : paidKeyOf(fields)
  return key !== null && eyes.isMasked ? maskKey(key) : key
}

function rowHtml(
  visit: Visit,
  { batch }: BatchView,
  eyes: PeopleEyes,
  row: BatchRow,
  payout: Payout | undefined,
): Html {
  const { home, language } = visit
  const words = BATCH_WORDS[language]
  const cells = cellsSeen(eyes, row)
  const bookKey = row.isKeyFromBook ? paidKeySeen(eyes, row) : null
  const problems = problemsOf(row)
  const cell = (column: BatchColumn): Html => {
    const wrong = problems.filter((problem) => problem.column === column)
    const text =
      column === 'amount' && row.amountInCents !== null
        ? amountText(row.amountInCents, language)
        : cells[column]
    const aside =
      column === 'key' &&
      html`${bookKey}<small class="soft">${row.isKeyFromBook && `${words.fromBook} · `}${words.keyChecks[row.keyCheck]}</small>`
    const isNone = text === '' && wrong.length === 0 && aside === false
    return html`<td data-head="${words.columns[column]}"${wrong.some(isError) ? html` class="is-wrong"` : isNone && html` class="none"`}><div>${text}${aside}${wrong.map((problem) => problemHtml(visit, problem))}</div></td>`
  }
  const other = problems
    .filter(({ column }) => column === 'idType')
    .map((problem) => problemHtml(visit, problem))
  const canFix = isEditable(batch)
  const fix =
    canFix &&
    html` <a href="${withinShownRows(visit, `${home}/batches/${batch.batchId}/rows/${row.rowNumber}`)}">${words.fix}</a>`
  const open = payout && html` <a href="${home}/payouts/${payout.payoutId}">${words.payouts}</a>`
  return html`<tr id="row-${row.rowNumber}"><th scope="row"><span class="stack-head">${words.row} </span>${row.rowNumber}</th>${SHOWN_COLUMNS.map(cell)}<td class="state">${stateMark(visit, row, payout)}${other}${fix}${open}</td></tr>`
}

function problemHtml({ language, home }: Visit, problem: RowProblem): Html {
  const words = BATCH_WORDS[language]
  const text =
    problem.code === 'DUPLICATE_IN_FILE' && problem.duplicateOf !== undefined
      ? words.duplicate(problem.duplicateOf)
      : words.problems[problem.code]
  const { code, duplicateOf } = problem
  const link =
    ((code === 'DUPLICATE_PAYOUT' || code === 'PAID_AFTER_ALL') &&
      html` <a href="${home}/payouts/${duplicateOf}">${words.payouts}</a>`) ||
    (code === 'DUPLICATE_IN_BATCH' && html` <a href="${home}/batches/${duplicateOf}">${words.list}</a>`)
  return html`<p class="cell-problem ${isError(problem) ? 'is-error' : 'is-warning'}">${text}${link}</p>`
}

function stateMark({ language }: Visit, row: BatchRow, payout: Payout | undefined): Html {
  const states = STATES[language]
  if (payout !== undefined) {
    const reason =
      payout.errorCode === null ? false : html`<small>${states.payoutReasons[payout.errorCode]}</small>`
    return html`${statusMark(payout.status, states.payout[payout.status])}${reason}`
  }
  const words = BATCH_WORDS[language]
  if (row.state === 'DRAFT' && row.problems.some(isError)) return statusMark('', words.errors, 'bad')
  return statusMark('', words.states[row.state], row.state === 'REFUSED' ? 'bad' : 'quiet')
}

function rowIn({ request }: Visit): number {
  const { row } = request.params as { row: string }
  return /^[1-9]\d{0,6}$/.test(row) ? Number(row) : 0
}

async function rowPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page | undefined> {
  const view = await viewIn(visit)
  const rowNumber = rowIn(visit)
  const { ctx, organization, language } = visit
  const row = view && (await getBatchRow(ctx.db, organization.organizationId, view.batch.batchId, rowNumber))
  if (view === undefined || row === undefined) return undefined
  const words = BATCH_WORDS[language]
  const eyes = await batchEyes(visit)
  const at = `/batches/${view.batch.batchId}`
  const call = { params: { batchId: view.batch.batchId, row: String(rowNumber) } }
  const isLeftOut = row.state === 'LEFT_OUT'
  const moving = actionButton(visit, newForm(visit), {
    action: withinShownRows(visit, `${at}/rows/${rowNumber}/${isLeftOut ? 'take-in' : 'leave-out'}`),
    operation: changePayoutBatchRowOperation,
    submit: isLeftOut ? words.takeIn : words.leaveOut,
    call,
  })
  return createPage(visit, {
    section: 'payouts',
    title: words.rowTitle(rowNumber),
    lead: eyes.isMasked ? words.rowLeadMasked : words.rowLead,
    back: { path: withinShownRows(visit, at), label: view.batch.fileName },
    form: formFrame(visit, form.isTyped ? form : { ...form, problems: wrongCells(visit, row) }, {
      action: withinShownRows(visit, `${at}/rows/${rowNumber}`),
      operation: changePayoutBatchRowOperation,
      fields: rowFields(visit, eyes, cellsSeen(eyes, row), problemsOf(row)),
      submit: words.save,
      cancel: withinShownRows(visit, at),
      call: { ...call, body: { amount: '1.250.000' } },
    }),
    beside: html`<section class="card panel">${moving}${shownControl(visit, `${at}/rows/${rowNumber}`, view.batch.batchId)}</section>`,
  })
}

// What was found wrong with the row stands at its fields before anything is typed.
function wrongCells({ language }: Visit, row: BatchRow): FieldProblem[] {
  const { problems } = BATCH_WORDS[language]
  return problemsOf(row)
    .filter(isError)
    .map(({ column, code }) => ({ path: `/${column}`, code: 'NOT_ALLOWED', message: problems[code] }))
}

// A cell that is emptied is empty. Whoever does not see the cells leaves those as they are that they type nothing into.
function rowFields(
  { language }: Visit,
  { isMasked }: PeopleEyes,
  cells: RowCells,
  problems: readonly RowProblem[],
): Field[] {
  const words = BATCH_WORDS[language]
  return BATCH_COLUMNS.map((column) => {
    const warnings = problems.filter((problem) => problem.column === column && !isError(problem))
    const hint = warnings.map(({ code }) => words.problems[code]).join(' ')
    return {
      kind: 'text',
      path: `/${column}`,
      label: words.columns[column],
      value: isMasked ? '' : cells[column],
      isConditional: true,
      whenEmpty: isMasked ? 'omit' : 'text',
      ...(hint !== '' && { hint }),
      wrong: ({ code, message }) => (code === 'NOT_ALLOWED' ? message : undefined),
    }
  })
}

const rowParams = (visit: Visit) => ({ batchId: batchIdIn(visit), row: String(rowIn(visit)) })
const toBatch = (visit: Visit): string => withinShownRows(visit, `/batches/${batchIdIn(visit)}`)

const moved = (name: string, leftOut: boolean): Route => ({
  method: 'POST',
  path: `/batches/:batchId/rows/:row/${name}`,
  operation: changePayoutBatchRowOperation,
  call: (visit) => ({ params: rowParams(visit), body: { leftOut } }),
  done: toBatch,
  again: rowPage,
})

export const batchRowRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/batches/:batchId/rows/:row',
    scope: 'payouts:read',
    show: (visit) => rowPage(visit),
  },
  {
    method: 'POST',
    path: '/batches/:batchId/rows/:row',
    operation: changePayoutBatchRowOperation,
    call: async (visit, typed) => ({
      params: rowParams(visit),
      body: bodyOf(rowFields(visit, await batchEyes(visit), NO_PERSON, []), typed),
    }),
    done: toBatch,
    again: rowPage,
  },
  moved('leave-out', true),
  moved('take-in', false),
  shownPersonRoute(
    '/batches/:batchId/rows/:row',
    'payouts:read',
    async (visit) => (await viewIn(visit))?.batch.batchId,
  ),
]
