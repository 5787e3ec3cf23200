/** Whether there is anything in an email for who reads it: `reading` until that is known, `stranger` for who is no customer. */
export type EmailContent = 'reading' | 'something' | 'nothing' | 'stranger'
