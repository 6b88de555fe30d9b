// The words of the page of notifications.

import { wordsOf } from '../../core/html.ts'
import type { AlarmLanguage } from '../../core/organizations/organization.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  alarms: {
    title: 'Alarmas por correo y por chat',
    text: 'Cuando se abre una alarma, le escribimos a cada correo de esta lista: qué pasó, desde cuándo y el enlace para verla. Si se abren muchas a la vez, llegan juntas en un solo correo.',
  },
  emails: 'Correos',
  emailsHint: (most: number) => `Uno por línea, máximo ${most}. Sin ninguno no le escribimos a nadie.`,
  tooMany: (most: number) => `Pon máximo ${most} correos.`,
  wrongEmail: (line: number) => `El correo ${line} de la lista no está bien escrito.`,
  language: 'Idioma de los avisos',
  webhook: 'Webhook de un chat',
  webhookHint:
    'La dirección https de un webhook entrante, como los de Slack. Cada alarma llega ahí como un mensaje, también sin servidor de correo. Guardada, solo se ven su dominio y sus últimos caracteres: para cambiarla, escríbela completa.',
  languages: wordsOf<AlarmLanguage>({ es: 'Español', en: 'Inglés' }),
  noMail: {
    title: 'Por ahora no sale ningún correo.',
    text: 'Esta instalación no tiene servidor de correo. Puedes guardar la lista, pero hasta que lo tenga mira las alarmas en la consola. Pídele a quien opera el servicio que configure',
    and: 'y',
  },
  seeAlarms: 'Ver las alarmas',
}

export type NotificationWords = typeof es

const en: NotificationWords = {
  alarms: {
    title: 'Alarms by e-mail and chat',
    text: 'When an alarm is raised, we write to each address of this list: what happened, since when, and the link to see it. If many are raised at once, they come together in one e-mail.',
  },
  emails: 'E-mail addresses',
  emailsHint: (most) => `One a line, at most ${most}. Without any, we write to nobody.`,
  tooMany: (most) => `Enter at most ${most} addresses.`,
  wrongEmail: (line) => `Address ${line} of the list is not a valid one.`,
  language: 'Language of the messages',
  webhook: 'Webhook of a chat',
  webhookHint:
    'The https address of an incoming webhook, as Slack has. Each alarm arrives there as a message, also without a mail server. Once saved, only its host and last characters are shown: to change it, type all of it.',
  languages: { es: 'Spanish', en: 'English' },
  noMail: {
    title: 'No e-mail goes out for now.',
    text: 'This installation has no mail server. You can save the list, but until there is one, look at the alarms in the console. Ask whoever operates the service to set',
    and: 'and',
  },
  seeAlarms: 'See the alarms',
}

export const NOTIFICATION_WORDS: Readonly<Record<UserLanguage, NotificationWords>> = { es, en }
