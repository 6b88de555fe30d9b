// The table of the service's rights in the guide is the one that `recaudo migrate --grant` gives.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SERVICE_RIGHTS } from '../../src/store/service-role.ts'
import { guideOf } from './guide.ts'

describe('the rights of the service', () => {
  for (const language of ['en', 'es'] as const)
    it(`are those that the guide lists (${language})`, () => {
      const { text } = guideOf('production', language)
      const rows = [...text.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|$/gm)]
      const listed = rows.flatMap(([, names = '', what = '']) =>
        [...names.matchAll(/\w+/g)].map(([table]) => [table, what] as const),
      )
      const named = new Map(listed.filter(([table]) => Object.hasOwn(SERVICE_RIGHTS, table)))
      assert.ok(named.size > 30)
      for (const [table, rights] of Object.entries(SERVICE_RIGHTS)) {
        const what = named.get(table) ?? 'add, change'
        const isAddedOnly = /add only|solo agregar/.test(what)
        assert.equal(Object.keys(rights).join() === 'insert', isAddedOnly, table)
        assert.equal(rights.delete === true, /delete|remove|borrar|quitar/.test(what), table)
        // The last row: all others.
        if (!named.has(table)) assert.equal(rights.update, true, table)
      }
    })
})
