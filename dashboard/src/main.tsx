// The entry point in the browser: loads the styles and renders the app.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { Boundary } from './shell/boundary.tsx';
import { preloadPage } from './shell/pages.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/components.css';
import './styles/data.css';
import './styles/panel.css';
import './styles/charts.css';
import './styles/playground.css';
import './styles/people.css';
import './styles/phone.css';

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
