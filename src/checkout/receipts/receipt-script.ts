// The script of a receipt's page: prints it, and shares or saves it as a PNG, which chats show and SVG they do not. Without it, the
// picture is saved as an SVG.

export const RECEIPT_SCRIPT = `
const find = (id) => document.getElementById(id)
const printer = find('print')
if (printer) {
  printer.hidden = false
  printer.onclick = () => print()
}
const sharer = find('share')
const saver = find('save')
const picture = async (address) => {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d').drawImage(image, 0, 0)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
const file = async () =>
  new File([await picture(sharer.dataset.image)], 'recibo.png', { type: 'image/png' })
const save = (made) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(made)
  link.download = made.name
  link.click()
  URL.revokeObjectURL(link.href)
}
if (sharer) {
  sharer.hidden = false
  sharer.onclick = async () => {
    const made = await file()
    if (navigator.canShare && navigator.canShare({ files: [made] })) await navigator.share({ files: [made] }).catch(() => 0)
    else save(made)
  }
  saver.onclick = (event) => {
    event.preventDefault()
    // A browser that cannot draw it follows the link: an SVG.
    file().then(save, () => { location.href = saver.href })
  }
}
`
