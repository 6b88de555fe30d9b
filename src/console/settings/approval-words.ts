// The words of the settings about approvals.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  money: {
    title: 'Dinero que sale',
    text: 'Desde qué valor debe aprobar otra persona. Deja un campo vacío para no pedir a nadie. Quien lo pide nunca cuenta.',
  },
  one: 'Una persona desde',
  two: 'Dos personas desde',
  changes: { title: 'Cambios delicados', text: 'Cuántas personas deben aprobarlos.' },
  people: ['Nadie', 'Una persona', 'Dos personas'],
  ruleHint: 'Mientras pida a alguien, cambiar esta página también espera una aprobación.',
  complex: 'Estas reglas tienen tramos que esta página no muestra. Cámbialas con la API.',
  waits: 'Hay un cambio de estas reglas que espera una aprobación. Si guardas otro, lo reemplaza.',
  see: 'Ver la aprobación',
  seeApprovals: 'Ver aprobaciones',
}

export type ApprovalSettingWords = typeof es

const en: ApprovalSettingWords = {
  money: {
    title: 'Money that leaves',
    text: 'From which amount somebody else must approve. Leave a field empty to ask nobody. Whoever asks for it never counts.',
  },
  one: 'One person from',
  two: 'Two people from',
  changes: { title: 'Delicate changes', text: 'How many people must approve them.' },
  people: ['Nobody', 'One person', 'Two people'],
  ruleHint: 'While it asks somebody, a change of this page waits for an approval, too.',
  complex: 'These rules have tiers that this page does not show. Change them by the API.',
  waits: 'A change of these rules waits for an approval. Another one takes its place.',
  see: 'See the approval',
  seeApprovals: 'See approvals',
}

export const APPROVAL_SETTING_WORDS: Readonly<Record<UserLanguage, ApprovalSettingWords>> = { es, en }
