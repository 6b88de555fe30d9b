'use client'
// Asks our own server how the order stands, and has the page drawn anew when that has changed. Our server knows it from the
// webhook: no browser asks Recaudo.

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const LOOK_EVERY_MS = 1_000

export function Watch({ id, status }) {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(async () => {
      // Away for a moment, or the phone slept: the next look finds out.
      const answer = await fetch(`/orders/${id}/status`).catch(() => undefined)
      if (answer?.ok && (await answer.json()).status !== status) router.refresh()
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [id, status, router])
  return <p role="status">Waiting for your payment…</p>
}
