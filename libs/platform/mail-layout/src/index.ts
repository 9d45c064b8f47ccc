export { composeMail, type Mail, type MailPart } from './compose-mail';
export { plainText } from './plain-text';
