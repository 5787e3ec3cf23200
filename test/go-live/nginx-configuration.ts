import { join } from 'node:path'

/**
 * Returns an nginx configuration with this `server` block. nginx then runs as one process and writes its files to
 * `folder`.
 */
export function nginxConfiguration(folder: string, server: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  return `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
    events {}
    http {
      access_log off;
      ${temporary.join('\n')}
      ${server}
    }`
}
