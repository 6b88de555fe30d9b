// A picture that is too heavy is made smaller here, before it is sent, and shown in the drawing of the payment page.

const MAX_BYTES = 4_000

/** @param {File} file */
const shrunk = async (file) => {
  if (file.size <= MAX_BYTES || file.type === 'image/svg+xml') return file
  const picture = await createImageBitmap(file)
  for (const side of [128, 96, 72, 56, 40])
    for (const quality of [0.9, 0.75, 0.6]) {
      const scale = Math.min(1, side / Math.max(picture.width, picture.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(picture.width * scale))
      canvas.height = Math.max(1, Math.round(picture.height * scale))
      canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
      /** @type {Blob | null} */
      const blob = await new Promise((done) => canvas.toBlob(done, 'image/webp', quality))
      if (blob && blob.size <= MAX_BYTES) return new File([blob], 'logo.webp', { type: blob.type })
    }
  return file
}

for (const field of document.querySelectorAll('[data-shows="logo"], [data-shows="picture"]'))
  if (field instanceof HTMLInputElement)
    field.addEventListener('change', async () => {
      const [chosen] = field.files ?? []
      if (!chosen) return
      const file = await shrunk(chosen).catch(() => chosen)
      const files = new DataTransfer()
      files.items.add(file)
      field.files = files.files
      if (field.dataset.shows !== 'logo') return
      const reader = new FileReader()
      reader.addEventListener('load', () => {
        for (const phone of document.querySelectorAll('.phone')) {
          const image = document.createElementNS('http://www.w3.org/2000/svg', 'image')
          const place = { x: 22, y: 38, width: 40, height: 40, href: String(reader.result) }
          for (const [name, value] of Object.entries(place)) image.setAttribute(name, String(value))
          phone.append(image)
        }
      })
      reader.readAsDataURL(file)
    })
