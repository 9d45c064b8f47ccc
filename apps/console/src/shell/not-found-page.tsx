import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { EmptyState } from '../components/states';
import { strings } from '../strings';
import { usePageTitle } from './page-title';

export function NotFoundPage() {
  usePageTitle(strings.errors.notFoundTitle);
  return (
    <main className="gate">
      <EmptyState icon={SearchX} title={strings.errors.notFoundTitle} text={strings.errors.notFoundText}>
        <Link to="/" className="button">
          {strings.errors.toHome}
        </Link>
      </EmptyState>
    </main>
  );
}
