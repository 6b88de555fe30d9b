// Nothing here is needed to take payments.

/** @type {import('next').NextConfig} */
export default { distDir: 'dist', poweredByHeader: false }
