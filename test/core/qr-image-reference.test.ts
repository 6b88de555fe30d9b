// Texts inside the service name a QR image by its payload; whoever sends one renders it.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { qrPngDataUri } from '../../src/core/qr-image.ts'
import { qrImageReference, renderQrImages } from '../../src/core/qr-image-reference.ts'

const stored = (payload: string): string =>
  JSON.stringify({ reference: 'a', qrString: qrImageReference(payload) })

describe('a reference to a QR image', () => {
  it('becomes the image of what it names, whatever the payload contains', () => {
    for (const payload of ['000201', 'with "quotes" and \\ backslash', 'ñandú', 'qr:qr:', ''])
      assert.deepEqual(JSON.parse(renderQrImages(stored(payload))), {
        reference: 'a',
        qrString: qrPngDataUri(payload),
      })
  })

  it('is rendered wherever it stands in a text', () => {
    const list = `{"data":[${stored('1')},${stored('2')}]}`
    assert.deepEqual(JSON.parse(renderQrImages(list)).data[1].qrString, qrPngDataUri('2'))
  })

  it('is not what somebody typed that looks like one', () => {
    const typed = JSON.stringify({ name: '"qrString":"qr:000201"', reference: 'qr:000201' })
    assert.equal(renderQrImages(typed), typed)
  })

  it('leaves an image that was stored whole, as earlier versions did', () => {
    const whole = JSON.stringify({ qrString: qrPngDataUri('000201') })
    assert.equal(renderQrImages(whole), whole)
    const beside = `[${whole},${stored('1')}]`
    assert.deepEqual(JSON.parse(renderQrImages(beside)), [
      JSON.parse(whole),
      { reference: 'a', qrString: qrPngDataUri('1') },
    ])
  })

  // A response is stored by reference for 30 days. If the image of a payload changed, its replay would.
  it('always gives the same bytes', () => {
    const image = renderQrImages(stored('00020101021126490103CO.COM.RECAUDO6304ABCD'))
    assert.equal(
      createHash('sha256').update(image).digest('hex'),
      '1db226bfcc1d9504157379b2a2ac106bcec465cef4f42366354558dc41a4787b',
    )
  })
})
