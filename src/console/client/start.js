// Says that there is a script, so that what only works with one is shown.

document.documentElement.classList.add('has-script')
