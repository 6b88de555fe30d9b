// What e-mails about alarms and invitations say, to the letter.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alarmMail, alarmMessage, type MailedAlarm } from '../../../src/core/ledger/alarm-mail.ts'
import type { Invitation } from '../../../src/core/team/invitation.ts'
import { invitationMail } from '../../../src/core/team/invitation-mail.ts'
import { ROLES } from '../../../src/core/team/role.ts'

const AT = Date.parse('2026-11-17T15:05:00.000Z')
const PLACES = {
  organizationName: 'Café La Palma',
  alarmsUrl: 'https://panel.example/alarms',
  settingsUrl: 'https://panel.example/settings',
}
const alarm = (kind: MailedAlarm['kind'], minutes = 0): MailedAlarm => ({
  alarmId: '1',
  kind,
  createdAt: AT + minutes * 60_000,
})
const one = [alarm('many-refusals')] as const
const many = [
  alarm('orphan-notice', 1),
  alarm('many-refusals', 9),
  alarm('many-refusals', 3),
  alarm('many-refusals', 5),
] as const
const lines = (...text: string[]): string => text.join('\n')

describe('an e-mail about alarms', () => {
  it('tells of one: what it is, what it means, since when, and where to see it', () => {
    const said = {
      en: [
        'An alarm was raised at Café La Palma:',
        '',
        'A credential gets many refusals.',
        'It may be a program with a bug, or somebody who has the credential and should not.',
        'Since 17 November 2026 at 10:05 (Bogotá time).',
        '',
        'See the alarm in the console:',
        'https://panel.example/alarms',
      ],
      es: [
        'Se abrió una alarma en Café La Palma:',
        '',
        'Una credencial recibe muchos rechazos.',
        'Puede ser un programa con un error, o alguien que tiene la credencial y no debería.',
        'Desde el 17 de noviembre de 2026 a las 10:05 a. m. (hora de Bogotá).',
        '',
        'Mira la alarma en la consola:',
        'https://panel.example/alarms',
      ],
    }
    const subjects = {
      en: 'Alarm at Café La Palma: A credential gets many refusals',
      es: 'Alarma en Café La Palma: Una credencial recibe muchos rechazos',
    }
    const endings = {
      en: 'We write to you because your address is in the notifications of Café La Palma. Who gets them is changed here:',
      es: 'Te escribimos porque tu correo está en los avisos de Café La Palma. Quién los recibe se cambia aquí:',
    }
    for (const language of ['en', 'es'] as const) {
      assert.deepEqual(alarmMail(one, language, PLACES), {
        subject: subjects[language],
        text: lines(...said[language], '', endings[language], 'https://panel.example/settings', ''),
      })
      const message = lines(`*${subjects[language]}*`, ...said[language])
      assert.equal(alarmMessage(one, language, PLACES), message)
    }
  })

  it('tells of many together: the most frequent kind first, each since its oldest', () => {
    assert.equal(
      alarmMessage(many, 'en', PLACES),
      lines(
        '*4 alarms at Café La Palma*',
        'There are 4 new alarms open at Café La Palma:',
        '',
        '- A credential gets many refusals: 3, since 17 November 2026 at 10:08 (Bogotá time)',
        '- The network told of something that we do not know: 1, since 17 November 2026 at 10:06 (Bogotá time)',
        '',
        'They are many at once, so they come together in one e-mail.',
        '',
        'See them in the console:',
        'https://panel.example/alarms',
      ),
    )
    assert.equal(
      alarmMessage(many, 'es', PLACES),
      lines(
        '*4 alarmas en Café La Palma*',
        'Hay 4 alarmas nuevas sin resolver en Café La Palma:',
        '',
        '- Una credencial recibe muchos rechazos: 3, desde el 17 de noviembre de 2026 a las 10:08 a. m. (hora de Bogotá)',
        '- La red avisó de algo que no conocemos: 1, desde el 17 de noviembre de 2026 a las 10:06 a. m. (hora de Bogotá)',
        '',
        'Son muchas a la vez, así que van juntas en un solo correo.',
        '',
        'Míralas en la consola:',
        'https://panel.example/alarms',
      ),
    )
  })
})

describe('the e-mail of an invitation', () => {
  const invitation = (changes: Partial<Invitation> = {}) =>
    ({
      ...{ invitedBy: 'Marta', name: 'Ana', role: 'support', language: 'en', expiresAt: AT },
      ...changes,
    }) as Invitation
  const mail = (changes?: Partial<Invitation>) =>
    invitationMail(invitation(changes), 'Café La Palma', 'https://panel.example/invite/x')

  it('says who invites whom, to what, as what, and until when', () => {
    assert.deepEqual(mail(), {
      subject: 'Marta invites you to Café La Palma',
      text: lines(
        'Hello Ana,',
        '',
        'Marta invites you to work at Café La Palma as support.',
        '',
        'Open this link to accept. It works once, until 17 November 2026 at 10:05 (Bogotá time):',
        'https://panel.example/invite/x',
        '',
        'If you did not expect this invitation, do nothing: without the link nothing happens.',
        '',
      ),
    })
    assert.deepEqual(mail({ language: 'es' }), {
      subject: 'Marta te invita a Café La Palma',
      text: lines(
        'Hola, Ana:',
        '',
        'Marta te invita a trabajar en Café La Palma con el rol de soporte.',
        '',
        'Para aceptar, abre este enlace. Funciona una sola vez, hasta el 17 de noviembre de 2026 a las 10:05 a. m. (hora de Bogotá):',
        'https://panel.example/invite/x',
        '',
        'Si no esperabas esta invitación, no hagas nada: sin el enlace no pasa nada.',
        '',
      ),
    })
  })

  it('greets somebody without a name, and has a word for every role', () => {
    assert.match(mail({ name: null }).text, /^Hello,\n/)
    assert.match(mail({ name: null, language: 'es' }).text, /^Hola:\n/)
    for (const language of ['en', 'es'] as const)
      assert.equal(new Set(ROLES.map((role) => mail({ role, language }).text)).size, ROLES.length)
  })
})
