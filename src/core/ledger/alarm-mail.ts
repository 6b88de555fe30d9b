// The e-mail about alarms: plain text, short, with the kinds in words. An alarm's own detail stays out of it, which may name an
// address or quote a network: that is for whoever has signed in.

import type { Instant } from '../instant.ts'
import type { AlarmLanguage } from '../organizations/organization.ts'
import type { MailText } from '../receipts/mail.ts'
import { mailTime } from '../receipts/mail-time.ts'
import type { AlarmKind } from './alarm.ts'
import { ALARM_MEANINGS, ALARM_TITLES } from './alarm-words.ts'

export type MailedAlarm = { readonly alarmId: string; readonly kind: AlarmKind; readonly createdAt: Instant }

export type AlarmMailPlaces = {
  readonly organizationName: string
  // Of the alarm, or of all that are open.
  readonly alarmsUrl: string
  readonly settingsUrl: string
}

type Words = {
  one: (name: string) => { subject: (title: string) => string; opening: string; link: string }
  many: (name: string, count: number) => { subject: string; opening: string; together: string; link: string }
  since: (time: string) => string
  line: (title: string, count: number, time: string) => string
  ending: (name: string, url: string) => string
}

const WORDS: Readonly<Record<AlarmLanguage, Words>> = {
  es: {
    one: (name) => ({
      subject: (title) => `Alarma en ${name}: ${title}`,
      opening: `Se abrió una alarma en ${name}:`,
      link: 'Mira la alarma en la consola:',
    }),
    many: (name, count) => ({
      subject: `${count} alarmas en ${name}`,
      opening: `Hay ${count} alarmas nuevas sin resolver en ${name}:`,
      together: 'Son muchas a la vez, así que van juntas en un solo correo.',
      link: 'Míralas en la consola:',
    }),
    since: (time) => `Desde el ${time} (hora de Bogotá).`,
    line: (title, count, time) => `- ${title}: ${count}, desde el ${time} (hora de Bogotá)`,
    ending: (name, url) =>
      `Te escribimos porque tu correo está en los avisos de ${name}. Quién los recibe se cambia aquí:\n${url}`,
  },
  en: {
    one: (name) => ({
      subject: (title) => `Alarm at ${name}: ${title}`,
      opening: `An alarm was raised at ${name}:`,
      link: 'See the alarm in the console:',
    }),
    many: (name, count) => ({
      subject: `${count} alarms at ${name}`,
      opening: `There are ${count} new alarms open at ${name}:`,
      together: 'They are many at once, so they come together in one e-mail.',
      link: 'See them in the console:',
    }),
    since: (time) => `Since ${time} (Bogotá time).`,
    line: (title, count, time) => `- ${title}: ${count}, since ${time} (Bogotá time)`,
    ending: (name, url) =>
      `We write to you because your address is in the notifications of ${name}. Who gets them is changed here:\n${url}`,
  },
}

// At least one alarm.
export function alarmMail(
  alarms: readonly [MailedAlarm, ...MailedAlarm[]],
  language: AlarmLanguage,
  places: AlarmMailPlaces,
): MailText {
  const { subject, text } = alarmText(alarms, language, places)
  const ending = WORDS[language].ending(places.organizationName, places.settingsUrl)
  return { subject, text: [text, '', ending, ''].join('\n') }
}

// The same for a chat, which has no subject and writes to nobody's address.
export function alarmMessage(
  alarms: readonly [MailedAlarm, ...MailedAlarm[]],
  language: AlarmLanguage,
  places: AlarmMailPlaces,
): string {
  const { subject, text } = alarmText(alarms, language, places)
  return `*${subject}*\n${text}`
}

function alarmText(
  alarms: readonly [MailedAlarm, ...MailedAlarm[]],
  language: AlarmLanguage,
  { organizationName, alarmsUrl }: AlarmMailPlaces,
): MailText {
  const words = WORDS[language]
  const [first, ...others] = alarms
  if (others.length === 0) {
    const { subject, opening, link } = words.one(organizationName)
    const title = ALARM_TITLES[language][first.kind]
    const since = words.since(mailTime(first.createdAt, language))
    const said = [opening, '', `${title}.`, ALARM_MEANINGS[language][first.kind], since]
    return { subject: subject(title), text: [...said, '', link, alarmsUrl].join('\n') }
  }
  const { subject, opening, together, link } = words.many(organizationName, alarms.length)
  const said = [opening, '', ...kindLines(alarms, language), '', together]
  return { subject, text: [...said, '', link, alarmsUrl].join('\n') }
}

// The most frequent first, each with its oldest.
function kindLines(alarms: readonly MailedAlarm[], language: AlarmLanguage): string[] {
  return [...Map.groupBy(alarms, ({ kind }) => kind)]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([kind, those]) => {
      const since = Math.min(...those.map(({ createdAt }) => createdAt))
      return WORDS[language].line(ALARM_TITLES[language][kind], those.length, mailTime(since, language))
    })
}
