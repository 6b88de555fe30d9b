// The test data: how a payment goes on, by its bank or by its payer's document. The documentation names the banks and not what they do,
// and no documents at all: what is said of them here is ours.

export type Status =
  | 'PENDING'
  | 'PENDING_VALIDATION'
  | 'PENDING_PROCESS'
  | 'PENDING_CONFIRMATION'
  | 'APPROVED'
  | 'REJECTED'
  | 'REFUNDED'
  | 'REVERSED'
  | 'DISPUTE'
  | 'FAILED'
  | 'ERROR'
  | 'UNKNOWN'
  | 'MANUAL'

export type Step = { readonly status: Status; readonly reason: string; readonly message: string }

const step = (status: Status, reason: string, message: string): Step => ({ status, reason, message })

export const PENDING_STEP = step('PENDING', '?-', 'La petición se encuentra pendiente')
export const APPROVED_STEP = step('APPROVED', '00', 'Aprobada')
export const REJECTED_STEP = step('REJECTED', '05', 'Rechazada por el banco')
const NO_FUNDS = step('REJECTED', '61', 'Fondos insuficientes')

export type Bank = { readonly code: string; readonly description: string; readonly steps: readonly Step[] }

export const BANKS: readonly Bank[] = [
  { code: '1022', description: 'BANCO DE PRUEBAS QUE APRUEBA', steps: [APPROVED_STEP] },
  { code: '1507', description: 'BANCO DE PRUEBAS QUE RECHAZA', steps: [REJECTED_STEP] },
  // Its payer decides on the page. Until then the payment is pending, for ever if need be.
  { code: '9999', description: 'BANCO DE PRUEBAS QUE ESPERA', steps: [] },
]

/** Documents that outweigh the bank. The steps follow each other, each after the delay. */
export const DOCUMENTS: Readonly<Record<string, readonly Step[]>> = {
  '9000000001': [
    step('PENDING_VALIDATION', '?C', 'Pendiente de validación'),
    step('PENDING_PROCESS', '?-', 'Pendiente de proceso'),
    step('PENDING_CONFIRMATION', '?-', 'Pendiente de confirmación'),
    APPROVED_STEP,
  ],
  '9000000002': [NO_FUNDS],
  '9000000003': [step('FAILED', 'XN', 'No fue posible procesar la petición')],
  '9000000004': [step('ERROR', 'XN', 'Error al procesar la petición')],
  '9000000005': [step('UNKNOWN', '?-', 'Estado desconocido'), APPROVED_STEP],
  '9000000006': [step('MANUAL', '?-', 'Requiere revisión manual')],
  '9000000007': [APPROVED_STEP, step('REFUNDED', '00', 'Devuelta')],
  '9000000008': [APPROVED_STEP, step('REVERSED', '00', 'Reversada')],
  '9000000009': [APPROVED_STEP, step('DISPUTE', '00', 'En disputa')],
}

/** A payer's document whose payment fails in the first answer, inside a 200 and without a page. */
export const DOCUMENT_THAT_FAILS = '9000000010'
export const FAILED_STEP = step('FAILED', 'XN', 'La entidad financiera no está disponible')

export const isOpen = (status: Status): boolean => status.startsWith('PENDING')

const namesOf = (steps: readonly Step[]) =>
  steps.length === 0 ? 'PENDING' : steps.map(({ status, reason }) => `${status} ${reason}`).join(', then ')

export const TEST_DATA: readonly (readonly [what: string, values: string])[] = [
  ...BANKS.map(({ code, steps }) => [`bank ${code}`, namesOf(steps)] as const),
  ...Object.entries(DOCUMENTS).map(
    ([document, steps]) => [`payer's document ${document}`, namesOf(steps)] as const,
  ),
  [`payer's document ${DOCUMENT_THAT_FAILS}`, 'FAILED XN in the first answer'],
]
