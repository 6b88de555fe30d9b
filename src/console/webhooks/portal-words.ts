// The words of the webhook portal.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Entrega de eventos',
  of: (merchant: string) => `Webhooks de ${merchant}`,
  until: (when: string) => `Esta dirección sirve hasta ${when}`,
  readOnly: 'Solo para mirar.',
  masked: 'Los datos de quienes pagan se muestran tapados.',
  refresh: 'Actualizar',
  sent: 'Lo que enviamos',
  closed: 'El contenido de este evento no se muestra aquí.',
  done: {
    test: 'La prueba va en camino.',
    recover: 'Lo que no había llegado va en camino.',
    resend: 'El evento va en camino otra vez.',
  },
  refused: 'No se hizo nada',
  ended: {
    title: 'Esta dirección no sirve',
    text: 'Direcciones como esta sirven por poco tiempo. Pide una nueva a quien te la dio.',
  },
  forbidden: {
    title: 'No se hizo nada',
    text: 'Esta dirección es solo para mirar. Pide otra a quien te la dio.',
  },
  missing: { title: 'Aquí no hay nada', text: 'Vuelve a la página anterior.' },
  back: 'Volver',
}

export type PortalWords = typeof es

const en: PortalWords = {
  title: 'Delivery of events',
  of: (merchant) => `Webhooks of ${merchant}`,
  until: (when) => `This address works until ${when}`,
  readOnly: 'To look at only.',
  masked: 'The data of payers is masked.',
  refresh: 'Refresh',
  sent: 'What we sent',
  closed: 'What this event says is not shown here.',
  done: {
    test: 'The test is on its way.',
    recover: 'What had not arrived is on its way.',
    resend: 'The event is on its way again.',
  },
  refused: 'Nothing was done',
  ended: {
    title: 'This address does not work',
    text: 'Addresses like this one work for a short time. Ask whoever gave it to you for a new one.',
  },
  forbidden: {
    title: 'Nothing was done',
    text: 'This address is to look at only. Ask whoever gave it to you for another.',
  },
  missing: { title: 'There is nothing here', text: 'Go back to the page before.' },
  back: 'Back',
}

export const PORTAL_WORDS: Readonly<Record<UserLanguage, PortalWords>> = { es, en }
