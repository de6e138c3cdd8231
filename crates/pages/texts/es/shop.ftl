# What buyers read: the front page.

front-title = Entradas, de la primera venta a la puerta
front-lead = Aquí los organizadores venden sus entradas y reciben a su público.
front-staff = Si trabajas aquí
front-staff-about = Claves, webhooks, cobros y tu equipo.
front-open-dashboard = Abrir el panel
front-buyers = Si te apetece salir
front-buyers-about = Mira qué hay a la venta.
front-see-sale = Ver qué hay
front-integrators = Si conectas un programa
front-integrators-about = Consulta entradas, pedidos y eventos con la API y entérate de cada cambio.
front-docs = Leer la documentación
front-on-sale = A la venta
front-nothing = Ahora mismo no hay nada a la venta.
front-from = desde { $price }
front-free = gratis
