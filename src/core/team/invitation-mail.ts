// The e-mail of an invitation: plain text, short, in the language of whoever invites.

import type { MailText } from '../receipts/mail.ts'
import { mailTime } from '../receipts/mail-time.ts'
import type { Invitation } from './invitation.ts'
import type { Role } from './role.ts'
import type { UserLanguage } from './user.ts'

const ROLE_NAMES: Readonly<Record<UserLanguage, Readonly<Record<Role, string>>>> = {
  es: {
    owner: 'dueño',
    administrator: 'administrador',
    preparer: 'preparador',
    approver: 'aprobador',
    support: 'soporte',
    accountant: 'contador',
    developer: 'desarrollador',
  },
  en: {
    owner: 'owner',
    administrator: 'administrator',
    preparer: 'preparer',
    approver: 'approver',
    support: 'support',
    accountant: 'accountant',
    developer: 'developer',
  },
}

type Said = { by: string; to: string; role: string; name: string | null; until: string; url: string }

const WORDS: Readonly<Record<UserLanguage, (said: Said) => { subject: string; lines: string[] }>> = {
  es: ({ by, to, role, name, until, url }) => ({
    subject: `${by} te invita a ${to}`,
    lines: [
      name === null ? 'Hola:' : `Hola, ${name}:`,
      '',
      `${by} te invita a trabajar en ${to} con el rol de ${role}.`,
      '',
      `Para aceptar, abre este enlace. Funciona una sola vez, hasta el ${until} (hora de Bogotá):`,
      url,
      '',
      'Si no esperabas esta invitación, no hagas nada: sin el enlace no pasa nada.',
      '',
    ],
  }),
  en: ({ by, to, role, name, until, url }) => ({
    subject: `${by} invites you to ${to}`,
    lines: [
      name === null ? 'Hello,' : `Hello ${name},`,
      '',
      `${by} invites you to work at ${to} as ${role}.`,
      '',
      `Open this link to accept. It works once, until ${until} (Bogotá time):`,
      url,
      '',
      'If you did not expect this invitation, do nothing: without the link nothing happens.',
      '',
    ],
  }),
}

export function invitationMail(
  { invitedBy, name, role, language, expiresAt }: Invitation,
  organizationName: string,
  url: string,
): MailText {
  const { subject, lines } = WORDS[language]({
    by: invitedBy,
    to: organizationName,
    role: ROLE_NAMES[language][role],
    name,
    until: mailTime(expiresAt, language),
    url,
  })
  return { subject, text: lines.join('\n') }
}
