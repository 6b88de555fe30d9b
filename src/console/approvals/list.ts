// What waits for other people. First what the person may decide; what they asked for themselves is there too, with the reason why
// somebody else must.

import type { Approval, ApprovalDecision } from '../../core/approvals/approval.ts'
import { type Html, html } from '../../core/html.ts'
import { isUuid } from '../../core/ids.ts'
import { approvalList } from '../../store/approvals/approvals.ts'
import { listDecisionsOf } from '../../store/approvals/decisions.ts'
import { amountText, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { PageRoute } from '../route.ts'
import { wayTo } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { statusMark } from '../words/states.ts'
import { countedApprovals, makerText, whyNot } from './may-decide.ts'
import { STATUS_TONES } from './page.ts'
import { APPROVAL_WORDS } from './words.ts'

const SHOWN = 30

async function approvalsPage(visit: Visit): Promise<Page> {
  const { ctx, organization, language, request } = visit
  const { organizationId } = organization
  const words = APPROVAL_WORDS[language]
  const query = request.query as { show?: unknown; after?: unknown }
  const isAll = query.show === 'all'
  const after = typeof query.after === 'string' && isUuid(query.after) ? query.after : null
  const list = approvalList(ctx.db, organizationId, isAll ? {} : { status: 'WAITING' })
  const found = await list.seek({ direction: 'older', from: after }, SHOWN + 1)
  const shown = found.slice(0, SHOWN)
  const ids = shown.map(({ approvalId }) => approvalId)
  const decisions = await listDecisionsOf(ctx.db, organizationId, ids)
  const counted = await countedApprovals(visit, decisions)
  const tab = (href: string, label: string, isHere: boolean) =>
    html`<a href="${href}"${isHere && html` aria-current="true"`}>${label}</a>`
  const older =
    found.length > SHOWN &&
    html`<nav class="pager"><a class="button" rel="next" href="?${isAll && html`show=all&amp;`}after=${shown.at(-1)?.approvalId}">${words.older}${icon('right')}</a></nav>`
  const content = html`<div class="head"><h1>${words.list}</h1><nav class="switch" aria-label="${words.list}">${tab('?', words.waiting, !isAll)}${tab('?show=all', words.all, isAll)}</nav></div><p class="page-hint">${words.hint}</p>${
    shown.length === 0
      ? html`<section class="empty"><p class="empty-mark">${icon('check')}</p><h2>${words.none}</h2><p>${words.noneText}</p>${wayTo(visit, '/settings/approvals', words.rules, 'organization:read')}</section>`
      : html`<ul class="alarms" data-grows>${shown.map((one) => rowHtml(visit, one, decisions, counted))}</ul>${older}`
  }`
  return { title: words.list, section: 'approvals', content, watches: ['events'] }
}

function rowHtml(
  visit: Visit,
  approval: Approval,
  all: readonly ApprovalDecision[],
  counted: readonly ApprovalDecision[],
): Html {
  const { language, ctx, home } = visit
  const words = APPROVAL_WORDS[language]
  const { approvalId, kind, amountInCents, approvers, status, createdAt, lapsesAt } = approval
  const now = ctx.clock.now()
  const decisions = all.filter((one) => one.approvalId === approvalId)
  const approved = counted.filter((one) => one.approvalId === approvalId).length
  const lock = status === 'WAITING' ? whyNot(visit, approval, decisions) : undefined
  const amount = amountInCents === null ? '' : ` · ${amountText(amountInCents, language)}`
  const end =
    status === 'WAITING'
      ? html`${words.lapses(timeText(lapsesAt, now, language))} · ${words.facts.approvals}: ${words.of(approved, approvers)}`
      : timeText(createdAt, now, language)
  return html`<li class="alarm card" id="approval-${approvalId}"><i class="dot ${STATUS_TONES[status]}"></i><div><h2><a href="${home}/approvals/${approvalId}">${words.kinds[kind]}${amount}</a> ${statusMark(status, words.statuses[status], STATUS_TONES[status])}</h2><p class="soft">${words.by(makerText(visit, approval))}</p><p class="alarm-end">${end}</p>${lock !== undefined && html`<p class="lock-note">${lock}</p>`}</div></li>`
}

export const approvalListRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/approvals', scope: 'approvals:read', show: approvalsPage },
]
