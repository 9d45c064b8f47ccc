import { Link } from '@tanstack/react-router';
import { strings } from '../../strings';

export function BackToSignIn() {
  return <Link to="/sign-in">{strings.auth.backToSignIn}</Link>;
}
