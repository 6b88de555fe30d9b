// How the parts of a process, and the processes of an installation, learn of work. A signal only makes them poll at once.

import type { Db } from '../store/db.ts'
import { sendWorkSignal } from '../store/work-signals.ts'
import type { WorkKind, WorkListener } from './context.ts'

// Other processes are notified of work at most this often. By polling they find it a little later anyway.
const SIGNAL_EVERY_MS = 20

// Notifies this process of work at once, and other processes within SIGNAL_EVERY_MS.
export function createWorkSignals(db: Db) {
  const listeners = new Set<WorkListener>()
  // The organizations with work, by kind. `undefined` means the work may be any organization's.
  const pending = new Map<WorkKind, Set<string | undefined>>()
  const notify = (kind: WorkKind, organizationId?: string): void => {
    for (const listener of listeners) listener(kind, organizationId)
  }
  return {
    onWork: (listener: WorkListener) => void listeners.add(listener),
    receiveSignal: (kind: string, organizationIds: readonly string[]): void => {
      if (organizationIds.length === 0) notify(kind as WorkKind)
      for (const organizationId of organizationIds) notify(kind as WorkKind, organizationId)
    },
    workAdded: (kind: WorkKind, organizationId?: string): void => {
      notify(kind, organizationId)
      const scheduled = pending.get(kind)
      if (scheduled !== undefined) return void scheduled.add(organizationId)
      const organizationIds = new Set([organizationId])
      pending.set(kind, organizationIds)
      setTimeout(() => {
        pending.delete(kind)
        const named = [...organizationIds].filter((id) => id !== undefined)
        sendWorkSignal(db, kind, named.length < organizationIds.size ? [] : named).catch(() => {})
      }, SIGNAL_EVERY_MS).unref()
    },
  }
}
