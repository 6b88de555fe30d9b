// The words of the form that makes a link to the webhook portal.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  share: 'Compartir',
  title: 'Compartir las entregas',
  lead: 'Crea una dirección que muestra cómo van estos webhooks a alguien que no tiene cuenta: cada intento, lo que respondió y el próximo. Los datos de quienes pagan van tapados.',
  endpoints: 'Webhooks que muestra',
  endpointsMissing: 'Elige al menos un webhook.',
  may: 'Qué puede hacer quien la abre',
  ways: {
    true: { label: 'Solo mirar' },
    false: { label: 'Mirar y reenviar', hint: 'También envía pruebas y recupera lo perdido.' },
  },
  works: 'Cuánto tiempo sirve',
  minutes: { '15': '15 minutos', '60': 'Una hora', '480': 'Ocho horas', '1440': 'Un día' },
  frames: 'Páginas que la pueden enmarcar',
  framesHint:
    'Orígenes como https://app.mitienda.co, uno por línea y máximo cinco. Sin ninguno, nadie la puede enmarcar.',
  frameWrong: 'Escribe orígenes https sin ruta, como https://app.mitienda.co: uno por línea y máximo cinco.',
  language: 'Idioma',
  languages: { '': 'El del navegador', es: 'Español', en: 'Inglés' },
  create: 'Crear la dirección',
  none: 'Todavía no hay webhooks que mostrar. Agrega uno primero.',
  made: 'La dirección está lista',
  address: 'Dirección del portal',
  once: 'Se muestra una sola vez, y quien la tenga la puede abrir. Cópiala ahora y envíala solo a quien deba verla.',
  until: (when: string) => `Sirve hasta ${when}`,
  framedBy: (origins: string) => `La pueden enmarcar: ${origins}`,
  framedByNobody: 'Ninguna página la puede enmarcar',
  mayLook: 'Quien la abra solo puede mirar',
  mayAct: 'Quien la abra puede mirar, enviar pruebas, reenviar y recuperar lo perdido',
  frame: 'Para ponerla en tu página:',
  back: 'Volver a los webhooks',
}

export type PortalLinkWords = typeof es

const en: PortalLinkWords = {
  share: 'Share',
  title: 'Share the deliveries',
  lead: 'Makes an address that shows how these webhooks do to somebody who has no account: every attempt, what was answered, and the next one. The data of payers is masked.',
  endpoints: 'Webhooks that it shows',
  endpointsMissing: 'Choose at least one webhook.',
  may: 'What whoever opens it may do',
  ways: {
    true: { label: 'Only look' },
    false: { label: 'Look and send again', hint: 'Also sends tests and recovers what was missed.' },
  },
  works: 'How long it works',
  minutes: { '15': '15 minutes', '60': 'An hour', '480': 'Eight hours', '1440': 'A day' },
  frames: 'Pages that may frame it',
  framesHint:
    'Origins such as https://app.myshop.co, one a line and five at most. Without any, nobody may frame it.',
  frameWrong: 'Write https origins without a path, such as https://app.myshop.co: one a line, five at most.',
  language: 'Language',
  languages: { '': 'The browser’s', es: 'Spanish', en: 'English' },
  create: 'Make the address',
  none: 'There are no webhooks to show yet. Add one first.',
  made: 'The address is ready',
  address: 'Address of the portal',
  once: 'It is shown once, and whoever has it can open it. Copy it now and send it only to whoever should see it.',
  until: (when) => `It works until ${when}`,
  framedBy: (origins) => `It may be framed by ${origins}`,
  framedByNobody: 'No page may frame it',
  mayLook: 'Whoever opens it can only look',
  mayAct: 'Whoever opens it can look, send tests, send again and recover what was missed',
  frame: 'To put it in a page of yours:',
  back: 'Back to the webhooks',
}

export const PORTAL_LINK_WORDS: Readonly<Record<UserLanguage, PortalLinkWords>> = { es, en }
