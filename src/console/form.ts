// Runs a form as the operation of the API that it names, in this process, with the person's scopes and under their name. So a form
// can do what a key with the same scopes can, and nothing else, and is refused as the API refuses.
//
// A form is a GET page that shows `formFrame` (form-frame.ts) with an empty state, and a FormRoute:
//
//   { method: 'POST', path: '/payins/:payinId/cancel', operation: cancelPayinOperation,
//     call: (visit) => ({ params: paramsOf(visit) }),
//     done: (visit) => `/payins/${paramsOf(visit).payinId}`,
//     again: payinPage }
//
// Done: 303 to what `done` names, where `words.done` says so once. Refused: `again` with what was typed, each problem at the field
// whose name is its path. Every form carries an idempotency key, so that a second click or a reload does nothing twice.

import { type Refused, recordRefused } from '../api/audit/refused-acts.ts'
import { STATUS_OF } from '../api/http/errors.ts'
import { createIdempotent } from '../api/http/idempotency.ts'
import type { Operation } from '../api/http/operation.ts'
import {
  type OperationRunner,
  operationRunner,
  scopeRefusal,
  validatorOf,
} from '../api/http/run-operation.ts'
import type { Scope } from '../core/organizations/scope.ts'
import { type FieldProblem, isRefusal, refuseFields } from '../core/refusal.ts'
import { isProvedLately } from '../core/team/user.ts'
import type { Context } from '../flows/context.ts'
import { FORM_KEY, type FormCall, type FormState, newForm, REVIEWED, SHOW_CALL } from './form-state.ts'
import type { Page, SeeOther } from './page.ts'
import { lackingPage, missingPage } from './problem-pages.ts'
import type { FormRoute } from './route.ts'
import type { Visit } from './visit.ts'

export type Runners = (operation: Operation) => OperationRunner

// One runner for each operation, made when it is first needed.
export function createRunners(ctx: Context): Runners {
  const idempotent = createIdempotent(ctx)
  const runners = new Map<Operation, OperationRunner>()
  return (operation) => {
    const runner = runners.get(operation) ?? operationRunner(ctx, operation, idempotent)
    runners.set(operation, runner)
    return runner
  }
}

export async function runForm(
  runners: Runners,
  visit: Visit,
  route: FormRoute,
  typed: URLSearchParams,
): Promise<Page | SeeOther> {
  const { operation } = route
  const lacking = scopeRefusal(operation, visit.caller)
  if (lacking !== undefined) {
    await recordRefused(visit.ctx, refusedAct(visit, operation), lacking)
    return lackingPage(visit, scopeOf(operation))
  }
  const call = callOf(operation, await route.call(visit, typed))
  const form: FormState = { ...newForm(visit), key: keyOf(visit, typed), typed, isTyped: true, call }
  const again = async (state: Partial<FormState>, status: number): Promise<Page> => {
    const page = await route.again(visit, { ...form, ...state })
    return page === undefined ? missingPage(visit, visit.home) : { status, ...page }
  }

  if (typed.has(SHOW_CALL)) return again({}, 200)
  if (route.review !== undefined && !typed.has(REVIEWED)) {
    const problems = await problemsOf(visit, operation, call)
    if (problems.length > 0) return again({ refusal: refuseFields(problems), problems }, 400)
    return (await route.review(visit, form)) ?? missingPage(visit, visit.home)
  }
  if (route.stepUp && !isProvedLately(visit.signedIn.session, visit.ctx.clock.wallClock()))
    return hasTyped(typed) ? again({ needsProof: true }, 403) : { seeOther: proofAddress(visit) }
  const changes = (await route.changedMeanwhile?.(visit, typed)) ?? []
  if (changes.length > 0) return again({ changes }, 409)

  const answer = await runners(operation)({
    actor: visit.ctx.actor,
    requestId: visit.request.id,
    caller: visit.caller,
    params: call.params ?? {},
    query: {},
    body: call.body,
    headers: {},
    path: pathOf(operation, call),
    idempotencyKey: operation.method === 'POST' ? form.key : undefined,
  })
  if (isRefusal(answer)) {
    const waiting = answer.errors?.find(({ approvalId }) => approvalId !== undefined)
    if (waiting !== undefined) return { seeOther: `${visit.home}/approvals/${waiting.approvalId}` }
    const problems = answer.errors ?? []
    return again({ refusal: answer, problems }, STATUS_OF[answer.refused])
  }
  const done = await route.done(visit, answer.body === '' ? null : JSON.parse(answer.body), typed)
  return typeof done === 'string' ? { seeOther: doneAddress(visit, done, operation) } : done
}

// An address of the console names the organization as well. An operation gets what its own path names: the first id among them is
// what the audit log says a refusal is about.
function callOf({ path }: Operation, { params = {}, ...call }: FormCall): FormCall {
  const named = Object.entries(params).filter(([name]) => path.includes(`{${name}}`))
  return { ...call, params: Object.fromEntries(named) }
}

// What the operation would say is wrong, without running it.
async function problemsOf(visit: Visit, operation: Operation, call: FormCall): Promise<FieldProblem[]> {
  const { ctx, caller, request } = visit
  return validatorOf(operation)({
    ctx,
    caller,
    requestId: request.id,
    params: call.params ?? {},
    query: {},
    body: structuredClone(call.body),
    headers: {},
    idempotency: null,
  })
}

// As the API writes it down. The address names the organization, too.
function refusedAct({ ctx, organization, request }: Visit, { act }: Operation): Refused {
  const { organizationId: _, ...params } = request.params as Record<string, string>
  return { act, actor: ctx.actor, organizationId: organization.organizationId, params }
}

// With the ids in place.
export function pathOf({ path }: Pick<Operation, 'path'>, { params = {} }: FormCall): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `{${name}}`))
}

export function scopeOf({ access }: Pick<Operation, 'access'>): Scope {
  return access === 'public' ? 'organization:read' : access.scope
}

// What was typed is kept on the page, and the person shows in another tab that it is them. A mere button is pressed again.
function hasTyped(typed: URLSearchParams): boolean {
  return [...typed].some(([name, value]) => name.startsWith('/') && value !== '')
}

// After `visit.home`.
export const PROVED_PATH = '/proved'

export function proofElsewhere({ base, home }: Visit): string {
  return `${base}/prove?to=${encodeURIComponent(home + PROVED_PATH)}`
}

// Money and credentials: the person first shows once more that it is them, and comes back to the page.
export function proofAddress({ base, home, request }: Visit): string {
  const from = request.headers.referer === undefined ? null : URL.parse(request.headers.referer)
  const to = from?.pathname.startsWith(`${home}/`) ? `${from.pathname}${from.search}` : home
  return `${base}/prove?to=${encodeURIComponent(to)}`
}

const SANE_KEY = /^console-[0-9a-f-]{36}$/

function keyOf(visit: Visit, typed: URLSearchParams): string {
  const sent = typed.get(FORM_KEY) ?? ''
  return SANE_KEY.test(sent) ? sent : newForm(visit).key
}

function doneAddress({ home }: Visit, to: string, { operationId }: Operation): string {
  const [path = '', query = ''] = to.split('?')
  const said = new URLSearchParams(query)
  said.set('done', operationId)
  return `${home}${path}?${said}`
}
