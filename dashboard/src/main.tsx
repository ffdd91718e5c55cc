// The entry point in the browser: loads the styles and renders the app.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { Boundary } from './shell/boundary.tsx';
import { preloadPage } from './shell/pages.tsx';
import './styles/index.css';

preloadPage(location.pathname);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Boundary>
        <App />
      </Boundary>
    </StrictMode>,
  );
}
