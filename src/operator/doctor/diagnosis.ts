// All that the operator's doctor found, and how it is printed.

import type { DoctorFinding } from './finding.ts'

export type Diagnosis = { readonly ok: boolean; readonly findings: readonly DoctorFinding[] }

const MARKS = { ok: 'ok     ', note: 'note   ', problem: 'problem' } as const

// As the merchant's own doctor prints it.
export function diagnosisText({ ok: isWell, findings }: Diagnosis): string {
  const lines = findings.map(({ level, about, text, remedy }) => {
    const line = `${MARKS[level]}  ${printable(about)}: ${printable(text)}`
    return remedy === undefined ? line : `${line}\n         → ${printable(remedy)}`
  })
  return [...lines, ...(isWell ? ['All is well.'] : [])].join('\n')
}

// Names of slots and standbys, and the words of other programs, cannot control the terminal.
function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}
