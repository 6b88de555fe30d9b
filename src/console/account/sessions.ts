// Where the person is signed in. Any session can be ended, this one too.

import { type Html, html } from '../../core/html.ts'
import type { Session } from '../../core/team/user.ts'
import { endOtherSessions, endOwnSession, ownSessions } from '../../flows/team/sessions.ts'
import { timeText } from '../format.ts'
import type { SeeOther } from '../page.ts'
import { hiddenField } from '../person-form.ts'
import { addressText, browserText } from './browser-name.ts'
import { type AccountPage, doneAt, type Visitor } from './visitor.ts'

export async function showSessions(visitor: Visitor): Promise<AccountPage> {
  const { ctx, signedIn, base, said } = visitor
  const sessions = await ownSessions(ctx, signedIn)
  const isThis = ({ sessionId }: Session) => sessionId === signedIn.session.sessionId
  const ordered = [...sessions.filter(isThis), ...sessions.filter((session) => !isThis(session))]
  const endOthers =
    sessions.length > 1 &&
    html`<div class="head-actions"><form method="post" action="${base}/account/sessions/end-others" data-once><button class="button">${said.sessions.endOthers}</button></form></div>`
  const content = html`<div class="head"><h1>${said.sections.sessions}</h1>${endOthers}</div>
<p class="soft lead">${said.sessions.text}</p>
<div class="stack"><section class="card"><ul class="rows">${ordered.map((session) => sessionRow(visitor, session, isThis(session)))}</ul></section></div>`
  return { title: said.sections.sessions, section: 'sessions', content }
}

function sessionRow(visitor: Visitor, session: Session, isThis: boolean): Html {
  const { base, ctx, language } = visitor
  const said = visitor.said.sessions
  const now = ctx.clock.wallClock()
  const time = (at: number): string => timeText(at, now, language)
  const end = isThis
    ? html`<form method="post" action="${base}/sign-out"><button class="button small">${said.signOut}</button></form>`
    : html`<form method="post" action="${base}/account/sessions/end" data-once>${hiddenField('id', session.sessionId)}<button class="button small">${said.end}<span class="unseen"> ${browserText(session.browser, said)}</span></button></form>`
  return html`<li class="row"><div><b>${browserText(session.browser, said)}</b> ${isThis && html`<span class="status good">${said.current}</span>`}
<p class="soft">${addressText(session.address, said)} · ${said.seen(time(session.seenAt))}</p>
<p class="soft">${said.began(time(session.createdAt))}, ${said.methods[session.method]}</p></div><div class="row-ends">${end}</div></li>`
}

export async function endSession(visitor: Visitor): Promise<SeeOther> {
  const { ctx, signedIn, typed } = visitor
  await endOwnSession(ctx, signedIn, typed.get('id') ?? '')
  return doneAt(visitor, 'sessions', 'session-ended')
}

export async function endOthers(visitor: Visitor): Promise<SeeOther> {
  await endOtherSessions(visitor.ctx, visitor.signedIn)
  return doneAt(visitor, 'sessions', 'sessions-ended')
}
