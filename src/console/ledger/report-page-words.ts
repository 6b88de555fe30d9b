// The words of the pages of reports. What columns are called stands with the API, which writes them in files.

import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Reportes',
  lead: 'Cada día va de medianoche a medianoche en Bogotá. Se cierra solo diez minutos después, y ya no cambia.',
  month: (month: string) => `Extracto de ${month}`,
  noDay: 'No hay reporte de ese día',
  noDayBecause: {
    none: 'Un día se escribe así: 2026-11-14.',
    future: (today: string) => `Ese día no ha llegado: en Bogotá hoy es ${today}.`,
    before: (first: string) => `Tu organización empezó después: su primer día es ${first}.`,
  },
  before: 'Mes anterior',
  after: 'Mes siguiente',
  total: 'Total',
  net: 'Otros',
  day: 'Día',
  table: 'Días del mes',
  csv: 'CSV',
  xlsx: 'XLSX',
  close: 'Cerrar el día',
  closeSure: '¿Cerrar este día? Desde ese momento lo que llegue tarde se registra en el día siguiente.',
  column: 'Concepto',
  count: 'Movimientos',
  amount: 'Valor',
  puc: 'Cuenta PUC',
  proof: 'Prueba del cierre',
  proofText:
    'La huella se calcula sobre las cifras del día, sobre cada movimiento y sobre la huella del cierre anterior. Quien administra el servicio la comprueba con recaudo closes verify.',
  digest: 'Huella',
  previous: 'Huella anterior',
  movementsDigest: 'Huella de los movimientos',
  closedAt: 'Cerrado',
  balances: 'Saldos al final del día',
  movements: 'Movimientos del día',
  allMovements: 'Todos los movimientos',
  estimate: 'Estimado: el banco dice cuánto cobró.',
  quiet: 'Este día no tuvo movimientos.',
  none: 'No hay movimientos.',
  older: 'Anteriores',
  back: 'Volver al día',
  paper: (organization: string, taxId: string | null) =>
    taxId === null ? organization : `${organization} · NIT ${taxId}`,
}

export type ReportPageWords = typeof es

const en: ReportPageWords = {
  title: 'Reports',
  lead: 'A day goes from midnight to midnight in Bogotá. It is closed by itself ten minutes later, and does not change any more.',
  month: (month) => `Statement of ${month}`,
  noDay: 'There is no report of that day',
  noDayBecause: {
    none: 'A day is written like this: 2026-11-14.',
    future: (today) => `That day has not come yet: in Bogotá it is ${today}.`,
    before: (first) => `Your organization began later: its first day is ${first}.`,
  },
  before: 'Month before',
  after: 'Next month',
  total: 'Total',
  net: 'Others',
  day: 'Day',
  table: 'Days of the month',
  csv: 'CSV',
  xlsx: 'XLSX',
  close: 'Close the day',
  closeSure: 'Close this day? From then on, what comes late is booked in the next day.',
  column: 'What',
  count: 'Movements',
  amount: 'Amount',
  puc: 'PUC account',
  proof: 'Proof of the close',
  proofText:
    'The digest is made of the day’s figures, of every movement, and of the digest of the close before it. Whoever runs the service checks it with recaudo closes verify.',
  digest: 'Digest',
  previous: 'Digest before it',
  movementsDigest: 'Digest of the movements',
  closedAt: 'Closed',
  balances: 'Balances at the end of the day',
  movements: 'Movements of the day',
  allMovements: 'All movements',
  estimate: 'An estimate: the bank says what it took.',
  quiet: 'There was no movement on this day.',
  none: 'There are no movements.',
  older: 'Older',
  back: 'Back to the day',
  paper: (organization, taxId) => (taxId === null ? organization : `${organization} · NIT ${taxId}`),
}

export const REPORT_PAGE_WORDS: Readonly<Record<UserLanguage, ReportPageWords>> = { es, en }
