// One approval: exactly what will happen, who asked for it, who has decided, and the way to decide: with a passkey that signs it, or
// with a code of the authenticator app where there is no script or no passkey.

import {
  approveApprovalOperation,
  getApprovalOperation,
  refuseApprovalOperation,
} from '../../api/approvals/operations.ts'
import { REASON_MAX_LENGTH } from '../../api/approvals/schema.ts'
import type { Approval, ApprovalDecision, ApprovalStatus } from '../../core/approvals/approval.ts'
import { presentApproval } from '../../core/approvals/object.ts'
import { type Html, html } from '../../core/html.ts'
import { CHALLENGE_LIFETIME_MS } from '../../core/team/passkey.ts'
import { holdsMakersCredential } from '../../flows/approvals/decide.ts'
import { CREDENTIAL_ACTS, type CredentialAct } from '../../flows/credentials/approval.ts'
import { getApproval } from '../../store/approvals/approvals.ts'
import { listDecisions } from '../../store/approvals/decisions.ts'
import { listPasskeys } from '../../store/team/passkeys.ts'
import { getWays } from '../../store/team/sign-in-ways.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame, problemSummary } from '../form-frame.ts'
import { FORM_KEY, type FormState, newForm } from '../form-state.ts'
import { timeText, whenText } from '../format.ts'
import { objectPage } from '../objects/object-page.ts'
import { actEntries, eventEntries } from '../objects/sources.ts'
import type { Page } from '../page.ts'
import { idParam, paramOf } from '../params.ts'
import { passkeyForm, typedPasskey } from '../passkey-form.ts'
import { eyesOf } from '../people.ts'
import { hiddenField } from '../person-form.ts'
import { siteOfRequest } from '../request-origin.ts'
import type { FormRoute, Route } from '../route.ts'
import { KIND_PLACES } from '../settings/credential-kinds.ts'
import { type MadeCredential, secretPage } from '../settings/credential-new.ts'
import { panel, proofNote } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { statusMark, type Tone } from '../words/states.ts'
import { actIn, approvedSentence } from './change-subject.ts'
import { countedApprovals, makerText, whyNot } from './may-decide.ts'
import { callOf, isPerformer, operationOf, partsOf, performHtml } from './perform.ts'
import { subjectOf } from './subject.ts'
import { APPROVAL_WORDS } from './words.ts'

export const STATUS_TONES: Readonly<Record<ApprovalStatus, Tone>> = {
  WAITING: 'wait',
  APPROVED: 'good',
  REFUSED: 'bad',
  LAPSED: 'quiet',
  VOIDED: 'quiet',
}

type Which = 'approve' | 'refuse' | 'perform'
type Open = { readonly which: Which; readonly form: FormState }

async function approvalPage(visit: Visit, open?: Open): Promise<Page | undefined> {
  const approvalId = idParam(visit, 'approvalId')
  if (approvalId === undefined) return undefined
  const { ctx, language, organization } = visit
  const approval = await getApproval(ctx.db, { organizationId: organization.organizationId, approvalId })
  if (approval === undefined) return undefined
  const words = APPROVAL_WORDS[language]
  const { status, kind, createdAt, lapsesAt, approvers, digest } = approval
  const now = ctx.clock.now()
  const [decisions, subject, eyes] = await Promise.all([
    listDecisions(ctx.db, approval),
    subjectOf(visit, approval),
    eyesOf(visit),
  ])
  const [acts, events] = await Promise.all([
    actEntries(visit, approvalId),
    eventEntries(visit, approvalId, eyes),
  ])
  // What has ended was counted then.
  const counted = status === 'WAITING' ? await countedApprovals(visit, decisions) : decisions
  const approved = counted.filter(({ decision }) => decision === 'APPROVED').length
  const sentence =
    status === 'WAITING'
      ? words.sentences.WAITING(subject.what)
      : (approvedSentence(visit, approval) ?? words.sentences[status])
  return objectPage(visit, {
    section: 'approvals',
    list: { path: '/approvals', label: words.list },
    id: approvalId,
    name: words.kinds[kind],
    headline: subject.facts[1]?.[1] ?? words.kinds[kind],
    status: statusMark(status, words.statuses[status], STATUS_TONES[status]),
    sentence,
    tone: STATUS_TONES[status],
    actions: [],
    problem: open !== undefined && problemSummary(visit, open.form, fieldsOf(visit, approval, open.which)),
    before:
      status === 'WAITING'
        ? await decidingHtml(visit, approval, decisions, open)
        : performHtml(visit, approval, quietForm(visit, open, 'perform')),
    groups: [
      { title: words.facts.about, facts: subject.facts },
      {
        title: words.facts.people,
        facts: [
          [words.facts.maker, makerText(visit, approval)],
          [words.facts.created, timeText(createdAt, now, language)],
          [words.facts.approvals, words.of(approved, approvers)],
          ...decisions.map((one) => [one.userName, decisionText(visit, one, counted.includes(one))] as const),
          [words.facts.lapses, status === 'WAITING' ? whenText(lapsesAt, now, language) : null],
          [words.facts.digest, copyable(visit, digest.toString('hex'))],
        ],
      },
    ],
    entries: [...acts, ...events],
    json: JSON.stringify(presentApproval(approval, decisions)),
    operation: getApprovalOperation,
    call: { params: { approvalId } },
    watches: ['events'],
  })
}

function decisionText({ ctx, language }: Visit, one: ApprovalDecision, isCounted: boolean): Html {
  const words = APPROVAL_WORDS[language]
  const when = timeText(one.decidedAt, ctx.clock.now(), language)
  return html`${words.decisions[one.decision]}, ${words.proofs[one.proof]} · ${when}${!isCounted && html`<br><span class="soft">${words.uncounted}</span>`}${one.reason !== null && html`<br><q>${one.reason}</q>`}`
}

function digestField({ digest }: Pick<Approval, 'digest'>): Field {
  return { kind: 'hidden', path: '/digest', value: digest.toString('hex') }
}

function approveFields({ language }: Visit, approval: Pick<Approval, 'digest'>): Field[] {
  const { code } = APPROVAL_WORDS[language]
  return [
    { kind: 'text', path: '/code', label: code, autocomplete: 'one-time-code', maxLength: 10 },
    digestField(approval),
  ]
}

function refuseFields({ language }: Visit, approval: Pick<Approval, 'digest'>): Field[] {
  const { reason } = APPROVAL_WORDS[language]
  const field = { kind: 'area', path: '/reason', label: reason, maxLength: REASON_MAX_LENGTH } as const
  return [{ ...field, isOptional: true }, digestField(approval)]
}

function fieldsOf(visit: Visit, approval: Approval, which: Which): Field[] {
  if (which === 'perform') return []
  return which === 'approve' ? approveFields(visit, approval) : refuseFields(visit, approval)
}

// What went wrong is said above; what was typed stays.
function quietForm(visit: Visit, open: Open | undefined, which: Which): FormState {
  return open?.which === which
    ? { ...open.form, refusal: null, problems: [], needsProof: false }
    : newForm(visit)
}

async function decidingHtml(
  visit: Visit,
  approval: Approval,
  decisions: readonly ApprovalDecision[],
  open: Open | undefined,
): Promise<Html> {
  const { language, base } = visit
  const words = APPROVAL_WORDS[language]
  const { approvalId, digest } = approval
  const { db } = visit.ctx
  const { userId } = visit.signedIn.user
  const lock = whyNot(visit, approval, decisions, await holdsMakersCredential(db, approval, userId))
  const ways = await getWays(db, userId)
  const hasApp = ways !== undefined && ways.totpEnabledAt !== null
  const hasPasskey = (ways?.passkeys ?? 0) > 0 && siteOfRequest(visit.options, visit.request) !== undefined
  const formOf = (which: Which): FormState => quietForm(visit, open, which)
  const byPasskey = lock === undefined && hasPasskey && (await passkeyHtml(visit, approval))
  const byCode = formFrame(visit, formOf('approve'), {
    action: `/approvals/${approvalId}/approve`,
    operation: approveApprovalOperation,
    // Nobody is asked for a code that is of no use.
    fields: approveFields(visit, approval).filter(
      ({ kind }) => kind === 'hidden' || (lock === undefined && hasApp),
    ),
    submit: words.approveCode,
    lock: lock ?? (hasApp ? undefined : words.noWay),
    call: { params: { approvalId }, body: { digest: digest.toString('hex'), code: '123456' } },
  })
  const refusing = formFrame(visit, formOf('refuse'), {
    action: `/approvals/${approvalId}/refuse`,
    operation: refuseApprovalOperation,
    fields: refuseFields(visit, approval),
    submit: words.refuse,
    isGrave: true,
    lock,
    call: { params: { approvalId }, body: { digest: digest.toString('hex') } },
  })
  const or = html`<p class="either with-script" data-needs-passkeys><span>${words.orCode}</span></p>`
  const add =
    lock === undefined &&
    !hasApp &&
    !hasPasskey &&
    html`<p><a class="button" href="${base}/account/access">${words.account}</a></p>`
  // A passkey needs the script. Whoever has neither that nor an app learns what is missing.
  const approving =
    byPasskey !== false && !hasApp
      ? html`${byPasskey}<noscript><p class="lock-note">${words.noWay}</p></noscript>`
      : html`${byPasskey}${byPasskey !== false && or}${byCode}${add}`
  return html`<div class="deciding">${panel(words.decide, false, approving, 'approve')}${panel(words.refuseTitle, words.refuseText, html`${lock === undefined && proofNote(visit)}${refusing}`, 'refuse')}</div>`
}

// The challenge is the digest: what the device signs is this approval and nothing else.
async function passkeyHtml(visit: Visit, { approvalId, digest }: Approval): Promise<Html> {
  const { ctx, signedIn, home, language, options, request } = visit
  const words = APPROVAL_WORDS[language]
  const known = await listPasskeys(ctx.db, signedIn.user.userId)
  return passkeyForm({
    kind: 'get',
    question: {
      challenge: digest.toString('base64url'),
      timeout: CHALLENGE_LIFETIME_MS,
      rpId: siteOfRequest(options, request)?.rpId,
      userVerification: 'required',
      allowCredentials: known.map(({ credentialId }) => ({
        type: 'public-key',
        id: credentialId.toString('base64url'),
      })),
    },
    action: `${home}/approvals/${approvalId}/approve`,
    label: words.approvePasskey,
    hint: words.approvePasskeyHint,
    to: '',
    isMain: true,
    also: html`${hiddenField('/digest', digest.toString('hex'))}${hiddenField(FORM_KEY, newForm(visit).key)}`,
    words: words.passkey,
  })
}

const formRoute = (which: Which, more: Pick<FormRoute, 'operation' | 'stepUp' | 'call'>): FormRoute => ({
  method: 'POST',
  path: `/approvals/:approvalId/${which}`,
  done: (visit) => `/approvals/${paramOf(visit, 'approvalId')}`,
  again: (visit, form) => approvalPage(visit, { which, form }),
  ...more,
})

// The maker does what was approved. What is sent is read from the approval, and not from the form.
const performRoute = (act: CredentialAct): FormRoute => {
  const { kind, step } = partsOf(act)
  return {
    method: 'POST',
    path: `/approvals/:approvalId/${act}`,
    operation: operationOf(act),
    stepUp: true,
    call: async (visit) => {
      const approvalId = idParam(visit, 'approvalId')
      const { organizationId } = visit.organization
      const approval = approvalId && (await getApproval(visit.ctx.db, { organizationId, approvalId }))
      const isIts = approval && isPerformer(visit, approval) && actIn(approval) === act
      return isIts ? callOf(approval) : { params: {}, body: { name: null, overlapHours: null } }
    },
    done: (visit, answer) => {
      const made = answer as MadeCredential
      return step === 'change'
        ? `${KIND_PLACES[kind].path}/${made.id}`
        : secretPage(visit, kind, made, step === 'roll')
    },
    again: (visit, form) => approvalPage(visit, { which: 'perform', form }),
  }
}

// What was typed names its digest itself.
const TYPED = { digest: Buffer.alloc(0) }

export const approvalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/approvals/:approvalId',
    scope: 'approvals:read',
    show: (visit) => approvalPage(visit),
  },
  formRoute('approve', {
    operation: approveApprovalOperation,
    call: (visit, typed) => {
      const passkey = typedPasskey(typed)
      const body = bodyOf(approveFields(visit, TYPED), typed)
      return {
        params: { approvalId: paramOf(visit, 'approvalId') },
        body: { ...body, ...(passkey !== undefined && { passkey }) },
      }
    },
  }),
  formRoute('refuse', {
    operation: refuseApprovalOperation,
    stepUp: true,
    call: (visit, typed) => ({
      params: { approvalId: paramOf(visit, 'approvalId') },
      body: bodyOf(refuseFields(visit, TYPED), typed),
    }),
  }),
  ...CREDENTIAL_ACTS.map(performRoute),
]
