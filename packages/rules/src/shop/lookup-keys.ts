/** What a customer is looked up by: emails match whatever their letter case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** What a discount is looked up by: codes match whatever their letter case, without the white space around them. */
export function codeKey(code: string): string {
  return code.trim().toLowerCase()
}
