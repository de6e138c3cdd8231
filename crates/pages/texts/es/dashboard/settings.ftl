# Settings and the service.

settings-lead = Los datos de tu organización. Los eventos que ya existen conservan su zona horaria y su moneda.
producer-id = Identificador
service-lead = Lo que afecta a todas las organizaciones de este servidor. Solo ve esta página quien lo gestiona.
service-history = Lo que no toca a ninguna organización
service-history-lead = Quién ha entrado o lo ha intentado sin éxito y qué se ha hecho con las cuentas. Se muestra lo más reciente.
producers = Organizaciones
producer-new = Nueva organización
producer-make = Crear la organización
users = Cuentas
user-active = activa
enable = Activar
disable = Desactivar

websites = Webs que venden con tu tienda
websites-about = Las páginas de estas webs pueden mostrar lo que está a la venta y hacer pedidos a través de la API de la tienda, desde el navegador de quien las visita. La página propia de tu tienda no necesita nada aquí.
websites-label = Webs, una por línea
websites-hint = Por ejemplo https://www.example.org, sin ninguna página detrás.
websites-change = Webs que venden con tu tienda
wrong-website = «{ $text }» no es una web. Escríbela como https://www.example.org, sin ninguna página detrás.
wrong-websites = Pon { $count } webs como máximo.

shop-look = El aspecto de tu tienda
shop-look-about = Tu color es el de la barra y los botones de las páginas de tu tienda. Lo que va escrito encima es negro o blanco, lo que se lea mejor.
shop-look-see = Ver tu tienda
shop-colour = Color
shop-colour-hint = Como #1a2b3c. Déjalo vacío para el color de todas las páginas.
shop-picture = Imagen
shop-picture-about = Las aplicaciones de mensajes y las redes la muestran con un enlace a tu tienda, y con un evento que no tiene imagen propia. Si no hay, se dibuja una con el nombre.
shop-picture-file = Archivo
shop-picture-hint = Un JPEG o PNG de { $mb } MB como máximo y al menos { $least } puntos. Lo demás que haya en el archivo, como el lugar donde se hizo la foto, no se guarda.
shop-picture-send = Enviar la imagen
shop-picture-remove = Quitar la imagen
wrong-colour = Escribe el color como #1a2b3c.
wrong-picture = No es un JPEG ni un PNG que se pueda leer. Envía otro archivo.
wrong-picture-too-large = El archivo pasa de { $mb } MB. Envía uno más pequeño.
wrong-picture-points = La imagen tiene más de { $millions } millones de puntos. Envía una más pequeña.
wrong-picture-too-small = La imagen es demasiado pequeña. Envía una más grande.
