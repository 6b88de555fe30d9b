// Who is told of alarms by e-mail or in a chat, and in which language. Where no mail server is set, the page says so before anybody relies on it.

import { changeOrganizationOperation } from '../../api/organizations/operations.ts'
import { EMAIL_MAX_LENGTH } from '../../core/contact.ts'
import { type Html, html } from '../../core/html.ts'
import { maskedAddress } from '../../core/organizations/masked-address.ts'
import {
  ALARM_LANGUAGES,
  MAX_ALARM_EMAILS,
  type Organization,
} from '../../core/organizations/organization.ts'
import type { Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type Change, type FormState, newForm } from '../form-state.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { panel, settingsPage, wayTo } from './frame.ts'
import { NOTIFICATION_WORDS } from './notification-words.ts'
import { changedBody, changesSince, seenField, type Values } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

const PATH = '/settings/notifications'

function fieldsOf({ organization, language }: Visit): Field[] {
  const words = NOTIFICATION_WORDS[language]
  return [
    {
      kind: 'lines',
      path: '/alarmEmails',
      label: words.emails,
      hint: words.emailsHint(MAX_ALARM_EMAILS),
      value: organization.alarmEmails.join('\n'),
      // A line more than is taken, so that whoever pastes too many learns it instead of losing the last.
      maxLength: (EMAIL_MAX_LENGTH + 2) * (MAX_ALARM_EMAILS + 1),
      isOptional: true,
      whenEmpty: 'list',
      wrong: ({ path }) => {
        const index = /^\/alarmEmails\/(\d+)/.exec(path)?.[1]
        return index === undefined ? words.tooMany(MAX_ALARM_EMAILS) : words.wrongEmail(Number(index) + 1)
      },
    },
    {
      kind: 'select',
      path: '/alarmLanguage',
      label: words.language,
      value: organization.alarmLanguage,
      options: ALARM_LANGUAGES.map((value) => ({ value, label: words.languages[value] })),
    },
    {
      kind: 'url',
      path: '/alarmWebhookUrl',
      label: words.webhook,
      hint: words.webhookHint,
      value: shownAddress(organization),
      isOptional: true,
      whenEmpty: 'null',
      maxLength: 2_048,
    },
  ]
}

function valuesOf({ organization }: Visit): Values {
  const { alarmEmails, alarmLanguage } = organization
  return { alarmEmails, alarmLanguage, alarmWebhookUrl: shownAddress(organization) }
}

// As the operation shows it, and takes it back.
function shownAddress({ alarmWebhookUrl }: Organization): string | null {
  return alarmWebhookUrl && maskedAddress(alarmWebhookUrl)
}

function valueText({ language }: Visit, value: unknown): string {
  if (value === null) return SETTINGS_WORDS[language].nothing
  if (Array.isArray(value)) return value.join(', ') || SETTINGS_WORDS[language].nothing
  const known = ALARM_LANGUAGES.find((one) => one === value)
  return known === undefined ? String(value) : NOTIFICATION_WORDS[language].languages[known]
}

async function notificationsPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language } = visit
  const words = NOTIFICATION_WORDS[language]
  const drawn = formFrame(visit, form, {
    action: PATH,
    operation: changeOrganizationOperation,
    fields: [...fieldsOf(visit), seenField(valuesOf(visit))],
    submit: SETTINGS_WORDS[language].save,
    call: { body: valuesOf(visit) },
  })
  const content = html`${noMailNote(visit)}${panel(words.alarms.title, words.alarms.text, drawn)}`
  const { name, text } = SETTINGS_WORDS[language].parts.notifications
  const actions = wayTo(visit, '/alarms', words.seeAlarms, 'ledger:read')
  return settingsPage(visit, { part: 'notifications', title: name, lead: text, actions, content })
}

function noMailNote({ ctx, language }: Visit): Html | false {
  if (ctx.settings.sendsMail) return false
  const { title, text, and } = NOTIFICATION_WORDS[language].noMail
  return html`<p class="note-line is-wait">${icon('warning')}<span><b>${title}</b> ${text} <code>SMTP_URL</code> ${and} <code>SMTP_FROM</code>.</span></p>`
}

export const notificationRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'organization:read', show: (visit) => notificationsPage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: changeOrganizationOperation,
    call: (visit, typed) => ({ body: changedBody(fieldsOf(visit), typed) }),
    done: () => PATH,
    again: notificationsPage,
    changedMeanwhile: async (visit, typed): Promise<Change[]> =>
      changesSince(typed, valuesOf(visit), fieldsOf(visit), (_, value) => valueText(visit, value)),
  },
]
