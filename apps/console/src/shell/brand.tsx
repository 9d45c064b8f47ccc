import { Link } from '@tanstack/react-router';
import { Sun } from 'lucide-react';
import { strings } from '../strings';

export function Brand() {
  return (
    <Link to="/" className="brand">
      <Sun size={20} aria-hidden />
      {strings.product}
    </Link>
  );
}
