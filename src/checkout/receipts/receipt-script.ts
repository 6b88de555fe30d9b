// The script of a receipt's page: prints it, and shares it as a PNG, which chats show and SVG they do not. Only an enhancement.

export const RECEIPT_SCRIPT = `
const find = (id) => document.getElementById(id)
const printer = find('print')
if (printer) {
  printer.hidden = false
  printer.onclick = () => print()
}
const sharer = find('share')
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
if (sharer) {
  sharer.hidden = false
  sharer.onclick = async () => {
    const file = new File([await picture(sharer.dataset.image)], 'recibo.png', { type: 'image/png' })
    if (navigator.canShare && navigator.canShare({ files: [file] })) {
      await navigator.share({ files: [file] }).catch(() => 0)
      return
    }
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = file.name
    link.click()
    URL.revokeObjectURL(link.href)
  }
}
`
