// Draws forms: fields with their problems beside them, what is wrong above all of it, and the same call as curl below.

import { STATUS_OF } from '../api/http/errors.ts'
import type { Operation } from '../api/http/operation.ts'
import { type Html, html } from '../core/html.ts'
import type { FieldProblem } from '../core/refusal.ts'
import { curlOf } from './curl.ts'
import { type Field, isAbout } from './fields.ts'
import { proofElsewhere, scopeOf } from './form.ts'
import type { FormCall } from './form-state.ts'
import { FORM_KEY, type FormState, SHOW_AS_CURL, SHOW_CALL } from './form-state.ts'
import { rolesWith } from './problem-pages.ts'
import { may, type Visit } from './visit.ts'
import { moneyProblemText, problemText, refusalText } from './words/refusals.ts'

export type FormView = {
  // After `visit.home`.
  readonly action: string
  readonly operation: Operation
  readonly fields: readonly Field[]
  readonly submit: string
  // What it takes away or sends out for good.
  readonly isGrave?: boolean
  // Where to go instead, after `visit.home`.
  readonly cancel?: string
  // The call before anything is typed.
  readonly call: FormCall
  // What else can be pressed.
  readonly also?: Html
  // What the fields that are seldom needed are called.
  readonly more?: string
  // Why this person cannot send it, although they may run its operation.
  readonly lock?: string | undefined
}

export function formFrame(visit: Visit, form: FormState, view: FormView): Html {
  const { words, home } = visit
  const isLocked = view.lock !== undefined && html` disabled`
  const submit = html`<button class="button ${view.isGrave ? 'grave' : 'main'}"${locked(visit, view.operation) || isLocked}>${view.submit}</button>`
  const cancel =
    view.cancel !== undefined &&
    html` <a class="button" href="${home}${view.cancel}">${words.form.cancel}</a>`
  const files = view.fields.some(({ kind }) => kind === 'file') && html` enctype="multipart/form-data"`
  return html`<form method="post" action="${home}${view.action}" class="form"${files} data-once>
${problemSummary(visit, form, view.fields)}
<input type="hidden" name="${FORM_KEY}" value="${form.key}">
${view.fields.filter((field) => !isMore(field)).map((field) => fieldHtml(visit, form, field))}
${moreFields(visit, form, view)}
${lockNote(visit, view.operation) || (view.lock !== undefined && html`<p class="lock-note">${view.lock}</p>`)}
<p class="form-end">${submit}${view.also}${cancel}</p>
${asCurl(visit, form, view)}
</form>`
}

function isMore(field: Field): boolean {
  return field.kind !== 'hidden' && field.isMore === true
}

function moreFields(visit: Visit, form: FormState, { fields, more = '' }: FormView): Html | false {
  const folded = fields.filter(isMore)
  if (folded.length === 0) return false
  const isUsed = folded.some(
    (field) =>
      form.problems.some((problem) => isAbout(field, problem)) ||
      typedIn(form, field as Shown).some((value) => value !== ''),
  )
  return html`<details class="more-fields"${isUsed && html` open`}><summary>${more}</summary><div class="form">${folded.map((field) => fieldHtml(visit, form, field))}</div></details>`
}

// A button that runs an operation without any field, such as "Cancel this payin".
export function actionButton(
  visit: Visit,
  form: FormState,
  view: Omit<FormView, 'fields' | 'cancel'> & { readonly confirm?: string },
): Html {
  const { home } = visit
  const button = html`<button class="button ${view.isGrave && 'grave'}"${locked(visit, view.operation)}>${view.submit}</button>`
  return html`<form method="post" action="${home}${view.action}" class="action" data-once${view.confirm !== undefined && html` data-confirm="${view.confirm}"`}><input type="hidden" name="${FORM_KEY}" value="${form.key}">${button}${lockNote(visit, view.operation)}</form>`
}

// Shown as disabled with a reason, never hidden: whoever lacks the right learns that there is something to ask for.
function locked(visit: Visit, operation: Operation): Html | false {
  return !may(visit, scopeOf(operation)) && html` disabled`
}

function lockNote(visit: Visit, operation: Operation): Html | false {
  const { words } = visit
  const scope = scopeOf(operation)
  if (may(visit, scope)) return false
  return html`<p class="lock-note">${words.form.lacks(words.rights[scope], rolesWith(words, scope, words.or))}</p>`
}

// Above the form, and focused: whoever cannot see the fields learns at once that something is wrong, and where.
export function problemSummary(visit: Visit, form: FormState, fields: readonly Field[]): Html | false {
  const { words } = visit
  const { refusal, problems, changes } = form
  if (form.needsProof) {
    const { title, text, link } = words.form.proof
    const way = html`<a href="${proofElsewhere(visit)}" target="_blank" rel="opener">${link}</a>`
    return alertBox(title, html`<p>${text} ${way}</p>`)
  }
  if (changes.length > 0) {
    const rows = changes.map(({ label, was, is }) => html`<li><b>${label}</b>: ${was} → ${is}</li>`)
    return alertBox(words.form.changedMeanwhile, html`<ul>${rows}</ul><p>${words.form.sendAgain}</p>`)
  }
  if (refusal === null) return false
  const fieldOf = (problem: FieldProblem) => fields.find((field) => isAbout(field, problem))
  const atFields = problems.filter((problem) => fieldOf(problem) !== undefined)
  const elsewhere = problems.filter((problem) => !atFields.includes(problem))
  const title =
    atFields.length > 0 && elsewhere.length === 0
      ? words.form.problems(atFields.length)
      : STATUS_OF[refusal.refused] >= 500
        ? words.problem.broken.title
        : words.form.refused
  const links = atFields.map(
    (problem) =>
      html`<li><a href="#${idOf(fieldOf(problem)?.path ?? problem.path)}">${labelOf(fields, problem)}</a>: ${wrongText(visit, problem, fieldOf(problem))}</li>`,
  )
  const others = elsewhere.map(
    (problem) => html`<li><code>${problem.path}</code>: ${problemText(visit, problem)}</li>`,
  )
  const text = problems.length === 0 && html`<p>${refusalText(visit, refusal)}</p>`
  return alertBox(title, html`${text}${problems.length > 0 && html`<ul>${links}${others}</ul>`}`)
}

function alertBox(title: string, content: Html): Html {
  return html`<div class="problems" role="alert" tabindex="-1" data-focus><p><b>${title}</b></p>${content}</div>`
}

function labelOf(fields: readonly Field[], problem: FieldProblem): string {
  const field = fields.find((one) => isAbout(one, problem))
  return field === undefined || field.kind === 'hidden' ? problem.path : field.label
}

function wrongText(visit: Visit, problem: FieldProblem, field: Field | undefined): string {
  const own = field === undefined || field.kind === 'hidden' ? undefined : field.wrong?.(problem)
  if (own !== undefined) return own
  return field?.kind === 'money' ? moneyProblemText(visit, problem) : problemText(visit, problem)
}

export function idOf(path: string): string {
  return `field${path.replaceAll(/[^\w]/g, '-')}`
}

export function fieldHtml(visit: Visit, form: FormState, field: Field): Html {
  if (field.kind === 'hidden') return html`<input type="hidden" name="${field.path}" value="${field.value}">`
  const id = idOf(field.path)
  const problem = form.problems.find((one) => isAbout(field, one))
  const described = [field.hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const label = html`${field.label}${field.isOptional && html` <span class="soft">(${visit.words.form.optional})</span>`}`
  const hint = field.hint !== undefined && html`<p class="hint" id="${id}-hint">${field.hint}</p>`
  const wrong = problem && html`<p class="wrong" id="${id}-problem">${wrongText(visit, problem, field)}</p>`
  const watched = field.watched !== undefined && html` data-shows="${field.watched}"`
  const attributes = html`${watched}${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}`
  if (field.kind === 'radio' || field.kind === 'checks')
    return html`<fieldset class="field" id="${id}"${attributes}><legend>${label}</legend>${hint}${wrong}${choices(form, field)}</fieldset>`
  if (field.kind === 'flag')
    return html`<div class="field flag"><input type="checkbox" id="${id}" name="${field.path}" value="true"${isOn(form, field) && html` checked`}${attributes}><label for="${id}">${label}</label>${hint}${wrong}</div>`
  return html`<div class="field"><label for="${id}">${label}</label>${hint}${wrong}${control(form, field, id, attributes)}</div>`
}

type Shown = Exclude<Field, { kind: 'hidden' }>

function typedIn(form: FormState, field: Shown): string[] {
  if (form.isTyped) return form.typed.getAll(field.path)
  return [field.value ?? []].flat()
}

function isOn(form: FormState, field: Shown): boolean {
  return typedIn(form, field).some((value) => value !== '' && value !== 'false')
}

function control(form: FormState, field: Shown, id: string, attributes: Html): Html {
  const value = typedIn(form, field).findLast((one) => one !== '') ?? ''
  const shared = html` id="${id}" name="${field.path}"${attributes}${!field.isOptional && !field.isConditional && html` required`}`
  if (field.kind === 'select') {
    const options = field.options.map(
      (option) =>
        html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
    )
    return html`<select${shared}>${options}</select>`
  }
  // Of a file that was sent before, what it holds is sent along.
  if (field.kind === 'file')
    return html`${form.isTyped && value !== '' && value.length <= (field.maxLength ?? 0) && html`<input type="hidden" name="${field.path}" value="${value}">`}<input type="file" id="${id}" name="${field.path}" accept="${field.accept}"${attributes}>`
  const text = html`${field.maxLength !== undefined && html` maxlength="${field.maxLength}"`}${field.placeholder !== undefined && html` placeholder="${field.placeholder}"`}${field.autocomplete !== undefined && html` autocomplete="${field.autocomplete}"`}`
  if (field.kind === 'lines')
    return html`<textarea${shared}${text} rows="3" spellcheck="false">${value}</textarea>`
  if (field.kind === 'area') return html`<textarea${shared}${text} rows="4">${value}</textarea>`
  if (field.kind === 'money')
    return html`<span class="money-field"><span aria-hidden="true">$</span><input type="text" inputmode="decimal"${shared}${text} value="${value}"></span>`
  if (field.kind === 'number')
    return html`<input type="number"${shared}${text}${field.min !== undefined && html` min="${field.min}"`}${field.max !== undefined && html` max="${field.max}"`} value="${value}">`
  const type = field.kind === 'secret' ? 'password' : field.kind
  return html`<input type="${type}"${shared}${text} value="${value}">`
}

function choices(form: FormState, field: Extract<Shown, { kind: 'radio' | 'checks' | 'select' }>): Html[] {
  const chosen = typedIn(form, field)
  return field.options.map((option, index) => {
    const id = `${idOf(field.path)}-${index}`
    const type = field.kind === 'radio' ? 'radio' : 'checkbox'
    return html`<div class="choice-row"><input type="${type}" id="${id}" name="${field.path}" value="${option.value}"${chosen.includes(option.value) && html` checked`}${option.isClosed && html` disabled`}><label for="${id}">${option.label}${option.hint !== undefined && html`<small>${option.hint}</small>`}</label></div>`
  })
}

// A secret that was typed is not shown again.
function withoutSecrets(call: FormCall, fields: readonly Field[]): FormCall {
  const { body } = call
  if (typeof body !== 'object' || body === null || !fields.some(({ kind }) => kind === 'secret')) return call
  const hidden = structuredClone(body) as Record<string, unknown>
  for (const { kind, path } of fields) {
    if (kind !== 'secret') continue
    const names = path.slice(1).split('/')
    const last = names.pop() as string
    const place = names.reduce<Record<string, unknown> | undefined>(
      (at, name) => at?.[name] as Record<string, unknown> | undefined,
      hidden,
    )
    if (place?.[last] !== undefined) place[last] = '…'
  }
  return { ...call, body: hidden }
}

function asCurl(visit: Visit, form: FormState, view: FormView): Html {
  const { words, options } = visit
  const isAsked = form.typed.get(SHOW_CALL) === SHOW_AS_CURL
  const curl = curlOf(view.operation, withoutSecrets(form.call ?? view.call, view.fields), options.publicUrl)
  const refresh =
    view.fields.some(({ kind }) => kind !== 'hidden') &&
    html`<button class="button small" name="${SHOW_CALL}" value="${SHOW_AS_CURL}" formnovalidate>${words.form.refreshCurl}</button>`
  return html`<details class="curl"${isAsked && html` open`}><summary>${words.form.asCurl}</summary><p class="hint">${words.form.asCurlHint}</p><pre tabindex="0"><code>${curl}</code></pre>${refresh}</details>`
}
