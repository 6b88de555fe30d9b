// The form that invites somebody, and the page that shows the link once.

import { createTeamInvitationOperation } from '../../api/team/invitations.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { html } from '../../core/html.ts'
import { mayGrant, ROLES, type Role } from '../../core/team/role.ts'
import { bodyOf, type Field, type FieldOption } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { timeText } from '../format.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import { proofNote, settingsPage } from '../settings/frame.ts'
import { secretCard } from '../settings/secret-page.ts'
import { SETTINGS_WORDS } from '../settings/words.ts'
import type { Visit } from '../visit.ts'
import { granterOf, TEAM_PATH } from './list.ts'
import { TEAM_WORDS } from './words.ts'

const PATH = `${TEAM_PATH}/invite`

export function roleOptions(visit: Visit): FieldOption[] {
  const words = TEAM_WORDS[visit.language]
  return ROLES.map((role) => ({
    value: role,
    label: visit.words.roles[role],
    ...(mayGrant(role, granterOf(visit))
      ? { hint: words.about[role] }
      : { hint: words.cannotGrant, isClosed: true }),
  }))
}

export function backToTeam({ language }: Visit) {
  return { path: TEAM_PATH, label: SETTINGS_WORDS[language].parts.team.name }
}

function fieldsOf(visit: Visit): Field[] {
  const words = TEAM_WORDS[visit.language].form
  return [
    {
      kind: 'email',
      path: '/email',
      label: words.email,
      hint: words.emailHint,
      maxLength: EMAIL_MAX_LENGTH,
      autocomplete: 'off',
      wrong: ({ code }) => (code === 'ALREADY_A_MEMBER' ? words.already : undefined),
    },
    {
      kind: 'text',
      path: '/name',
      label: words.name,
      maxLength: NAME_MAX_LENGTH,
      autocomplete: 'off',
      isOptional: true,
    },
    {
      kind: 'radio',
      path: '/role',
      label: words.role,
      options: roleOptions(visit),
      wrong: ({ code }) => (code === 'REQUIRED' ? undefined : words.roleClosed),
    },
  ]
}

// Refusals that are about one field are told there.
const FIELD_OF: Readonly<Record<string, string>> = { ALREADY_A_MEMBER: '/email', ROLE_NOT_GRANTABLE: '/role' }

async function invitePage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const words = TEAM_WORDS[visit.language].form
  const { refusal } = form
  const path = refusal === null ? undefined : FIELD_OF[refusal.refused]
  const problems =
    path !== undefined && refusal !== null && form.problems.length === 0
      ? [{ path, code: refusal.refused, message: refusal.detail }]
      : form.problems
  const drawn = formFrame(
    visit,
    { ...form, problems },
    {
      action: PATH,
      operation: createTeamInvitationOperation,
      fields: fieldsOf(visit),
      submit: words.submit,
      cancel: TEAM_PATH,
      call: { body: Object.values(createTeamInvitationOperation.body?.examples ?? {})[0]?.value },
    },
  )
  return settingsPage(visit, {
    part: 'team',
    title: words.title,
    lead: words.lead,
    back: backToTeam(visit),
    content: html`<section class="card panel">${!form.needsProof && proofNote(visit)}${drawn}</section>`,
  })
}

type Made = {
  readonly email: string
  readonly role: Role
  readonly url: string
  readonly emailed: boolean
  readonly expiresAt: string
}

function madePage(visit: Visit, made: Made): Page {
  const { language, ctx, words: shared } = visit
  const words = TEAM_WORDS[language].made
  const until = timeText(Date.parse(made.expiresAt), ctx.clock.wallClock(), language)
  return settingsPage(visit, {
    part: 'team',
    title: words.title,
    lead: `${made.email} · ${shared.roles[made.role]}`,
    back: backToTeam(visit),
    content: secretCard(visit, {
      values: [[words.link, made.url]],
      warning: words.once,
      notes: [made.emailed && words.mailed(made.email), words.expires(until)],
      next: { path: TEAM_PATH, label: words.back },
    }),
  })
}

export const inviteRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'team:read', show: (visit) => invitePage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: createTeamInvitationOperation,
    stepUp: true,
    call: (visit, typed) => ({ body: bodyOf(fieldsOf(visit), typed) }),
    done: (visit, answer) => madePage(visit, answer as Made),
    again: invitePage,
  },
]
