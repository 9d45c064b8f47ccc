export { composeMail, type Mail } from './compose-mail';
export { plainText } from './plain-text';
