// The guide's own code checks a chain from what the API answers, and finds what was changed.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import type { AuditEntry } from '../../../sdk/src/audit.ts'
import { guideOf } from '../../guides/guide.ts'
import { createWorld } from '../../world.ts'

it('whoever has the entries can check them by the code in the guide', async () => {
  await using world = await createWorld()
  const { organizationId } = world.organization
  for (const payinExpiryMinutes of [20, 30, 40])
    await world.client('PATCH', '/organization', {
      payinExpiryMinutes,
      name: `José’s «${payinExpiryMinutes}»`,
    })
  await world.work()
  const { json } = await world.client('GET', '/audit?pageSize=100')
  const entries: AuditEntry[] = json.data.reverse()
  assert.equal(entries.length, 5)
  const code = guideOf('audit').blocks.find(({ language }) => language === 'ts')?.text ?? ''
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-audit-guide-'))
  try {
    const file = join(directory, 'check.ts')
    writeFileSync(file, code)
    const { firstBroken } = (await import(file)) as {
      firstBroken: (organizationId: string, entries: AuditEntry[]) => number | undefined
    }
    assert.equal(firstBroken(organizationId, entries), undefined)
    const [first, second, third, ...rest] = entries as [AuditEntry, AuditEntry, AuditEntry, ...AuditEntry[]]
    const altered = { ...third, actor: { ...third.actor, name: 'somebody else' } }
    assert.equal(firstBroken(organizationId, [first, second, altered, ...rest]), 3)
    assert.equal(firstBroken(organizationId, [first, third, ...rest]), 2)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
